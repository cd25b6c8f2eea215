"""What setup.cfg cannot say: the compiled kernels of a wheel, and numba where there are none.

With MAPEXPLORER_KERNELS naming a folder made by tools/kernel_library.py, the wheel holds its libraries, belongs to
their system, and needs no numba. Otherwise the package compiles its kernels on the user's machine.

With MAPEXPLORER_HOME, the address of the repository, and MAPEXPLORER_REVISION, the description has addresses for the
links and pictures of README, so that an index shows them.
"""

import json
import os
import re
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

NUMBA = "numba>=0.62,<0.69"
PLATFORM_TAGS = {
    "x86_64-linux-gnu.2.17": "manylinux_2_17_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux_2_17_aarch64",
    "x86_64-windows-gnu": "win_amd64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
}
"""Target of tools/kernel_library.py -> the platform tag of its wheel."""

FOLDER = Path(os.environ["MAPEXPLORER_KERNELS"]) if os.environ.get("MAPEXPLORER_KERNELS") else None
DESCRIPTION = json.loads((FOLDER / "kernels.json").read_text("utf-8")) if FOLDER else None


HOME, REVISION = os.environ.get("MAPEXPLORER_HOME", ""), os.environ.get("MAPEXPLORER_REVISION", "HEAD")


def with_addresses(text, home, revision):
    """A page of the repository, its links and pictures with their addresses there."""

    def address(found):
        picture, words, path = found.groups()
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/{revision}/{path})"

    return re.sub(r"(!?)\[([^]]*)\]\((?![a-z]+:|#)([^)]+)\)", address, text)


class BuildPackages(build_py):
    """Adds the libraries to the packages."""

    def run(self) -> None:
        super().run()
        if DESCRIPTION is not None and not self.editable_mode:
            into = Path(self.build_lib, "formats", "kernel", "compiled")
            into.mkdir(parents=True, exist_ok=True)
            for name in ["kernels.json", *DESCRIPTION["libraries"].values()]:
                shutil.copyfile(FOLDER / name, into / name)


class BuildWheel(bdist_wheel):
    """The libraries serve every Python of their system."""

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", PLATFORM_TAGS[DESCRIPTION["target"]] if DESCRIPTION else "any")


class Program(Distribution):
    """The packages need numba where they come without libraries."""

    def parse_config_files(self, *args: object, **kwargs: object) -> None:
        super().parse_config_files(*args, **kwargs)
        if DESCRIPTION is None:
            self.install_requires = self.metadata.install_requires = [*self.install_requires, NUMBA]
        if HOME:
            self.metadata.long_description = with_addresses(self.metadata.long_description, HOME, REVISION)
            self.metadata.project_urls = {
                "Source": HOME,
                "Issues": f"{HOME}/issues",
                "Documentation": f"{HOME}/blob/{REVISION}/docs/index.md",
                "Changelog": f"{HOME}/blob/{REVISION}/CHANGELOG.md",
            }

    def has_ext_modules(self) -> bool:
        return DESCRIPTION is not None


setup(cmdclass={"build_py": BuildPackages, "bdist_wheel": BuildWheel}, distclass=Program)
