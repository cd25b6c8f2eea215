"""`convert`: loose models, textures and animations as GLB or PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.arguments import Number, OutputPath
from mapexplorer.cli.output import count, json_option, print_json, summary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mapexplorer.export.convert import ConvertOptions
    from mapexplorer.export.loose import LooseFiles

_UNIT = 1 / 16


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--output", "-o", type=OutputPath(), required=True, help="A GLB or PNG file, or a folder.")
@click.option("--scale", type=Number(), help="Metres per unit; by default 1/16 (NITRO) or 1 (J3D).")
@click.option("--lit", is_flag=True, help="NITRO: normals and lit materials instead of baked light.")
@click.option(
    "--merge", type=click.Choice(["shape", "material"]), default="shape", show_default=True,
    help="NITRO: one node per shape, or one per material.",
)  # fmt: skip
@click.option("--bake-mirror", is_flag=True, help="NITRO: double mirrored textures.")
@click.option("--static", is_flag=True, help="NITRO: leave animations out.")
@click.option(
    "--pattern", type=click.Choice(["nodes", "atlas"]), default="nodes", show_default=True,
    help="NITRO: changing pictures as nodes that appear and disappear, or as an atlas where that is possible.",
)  # fmt: skip
@click.option("--rate", type=Number(), default=25, show_default=True, help="MSH: frames per second of the clip.")
@click.option(
    "--order", type=click.Choice(["auto", "xyzw", "wxyz"]), default="auto", show_default=True,
    help="MSH: the order of a stored quaternion.",
)  # fmt: skip
@click.option("--no-conjugate", is_flag=True, help="MSH: rotate as the stored quaternion, not as the engine.")
@click.option("--mirror-x", is_flag=True, help="MSH: mirror the whole model.")
@click.option("--drop-root-translation", is_flag=True, help="MSH: leave root nodes at the origin.")
@click.option("--hidden", is_flag=True, help="MSH: draw collision hulls and cockpits too.")
@click.option(
    "--slot", nargs=2, type=int, default=(0, 0), show_default=True, metavar="ROW COLUMN",
    help="MSH: which geometry of every node.",
)  # fmt: skip
@click.option("--bake", is_flag=True, help="MSH: one key per frame.")
@click.option("--extras", is_flag=True, help="MSH: keep the node fields of the file.")
@json_option
def convert(files: tuple[str, ...], output: Path, as_json: bool, **settings: Any) -> int:
    """Write loose files as GLB or PNG: NITRO models with texture sets and animations (NSBMD, NSBTX, NSBCA, NSBTP,
    NSBTA, NSBMA, NSBVA), GameCube models with joint animations (BMD, BDL, BCK), Iron3D models (MSH, NRes).

    Files are told by their contents. Names of textures are looked up in every texture set that is given. Texture sets
    alone, or an OUT that ends in .png, give a PNG for every pair of texture and palette.
    """
    from pathlib import Path

    from mapexplorer.export.loose import read_files, unused

    try:
        options = _options(settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    found = read_files([Path(name) for name in files])
    for note in found.notes:
        click.echo(f"  {note}", err=True)
    if output.suffix.lower() == ".png" or not found.models:
        return _write_pictures(found, output, as_json)
    failed = [str(one) for one in unused(found)]
    for sentence in failed:
        click.echo(sentence, err=True)
    if output.suffix.lower() == ".glb" and len(found.models) > 1:
        raise click.UsageError(f"{count(len(found.models), 'model')} do not fit into one GLB: give a folder.")
    entries = []
    for entry in _written(found, output, options):
        entries.append(entry)
        if not as_json:
            _print_model(entry)
    if as_json:
        print_json({"models": entries, "failed": failed})
    clips, missing = (sum(len(entry[kind]) for entry in entries) for kind in ("clips", "missing"))
    summary(
        f"{count(len(entries), 'model')} written with {count(clips, 'clip')}, {count(missing, 'name')} missing, "
        f"{len(failed)} failed.",
        as_json=as_json,
    )
    return 1 if failed else 0


def _options(settings: dict[str, Any]) -> ConvertOptions:
    from mapexplorer.export.convert import ConvertOptions
    from mapexplorer.export.gltf.j3d import J3dOptions
    from mapexplorer.export.gltf.msh import MshOptions
    from mapexplorer.export.options import ExportOptions

    scale = settings["scale"]
    names = ("lit", "merge", "bake_mirror", "static", "pattern")
    return ConvertOptions(
        ExportOptions(scale=_UNIT if scale is None else scale, **{name: settings[name] for name in names}),
        J3dOptions(scale=1.0 if scale is None else scale),
        MshOptions(
            rate=settings["rate"],
            order=settings["order"],
            conjugate=not settings["no_conjugate"],
            mirror_x=settings["mirror_x"],
            keep_root_translation=not settings["drop_root_translation"],
            hidden=settings["hidden"],
            slot=settings["slot"],
            bake=settings["bake"],
            extras=settings["extras"],
        ),
    )


def _target(output: Path, name: str, suffix: str) -> Path:
    return output if output.suffix.lower() == suffix and not output.is_dir() else output / f"{name}{suffix}"


def _write_pictures(found: LooseFiles, output: Path, as_json: bool) -> int:
    from mapexplorer.errors import RomError
    from mapexplorer.export.convert import pictures_of
    from mapexplorer.export.files import write_atomically
    from mapexplorer.export.textures import picture

    pairs = pictures_of(found)
    if not pairs:
        what = "animations alone; give the model that they play on" if found.animations else "no textures"
        raise RomError(f"The given files hold {what}.")
    single = output.suffix.lower() == ".png" and not output.is_dir()
    if single and len(pairs) > 1:
        raise click.UsageError(f"{count(len(pairs), 'picture')} do not fit into one PNG: give a folder.")
    entries: list[dict[str, Any]] = []
    for name, pair in pairs:
        texture, palette = pair.texture, None if pair.palette is None else pair.palette.name
        target = _target(output, name, ".png")
        write_atomically(target, picture(texture, pair.palette).png)
        size = {"width": texture.width, "height": texture.height}
        entries.append({"file": str(target), "texture": texture.name, "palette": palette, **size})
        entries[-1]["guessed"] = pair.guessed
        if not as_json:
            used = "" if palette is None else f", palette {palette}{' (guessed)' if pair.guessed else ''}"
            click.echo(f"{target}: {texture.name}, {texture.width} x {texture.height}{used}")
    guesses = sum(pair.guessed for _, pair in pairs)
    if as_json:
        print_json({"pictures": entries})
    elif guesses:
        click.echo(f"For {count(guesses, 'texture')} nothing says which palette; add a model that shows them.")
    summary(f"{count(len(pairs), 'picture')} written, 0 failed.", as_json=as_json)
    return 0


def _written(found: LooseFiles, output: Path, options: ConvertOptions) -> Iterator[dict[str, Any]]:
    """Write every model; what was written comes as plain data."""
    from mapexplorer.export.convert import convert as converted

    for one in converted(found, options):
        target = _target(output, one.name, ".glb")
        one.document.write(target)
        yield {
            "file": str(target),
            "size": target.stat().st_size,
            "materials": len(one.document.items("materials")),
            "images": len(one.document.items("images")),
            "clips": one.clips,
            "missing": one.missing,
            "notices": one.notices,
        }


def _print_model(entry: dict[str, Any]) -> None:
    clips = entry["clips"]
    click.echo(
        f"{entry['file']}: {count(entry['materials'], 'material')}, {count(entry['images'], 'texture')}, "
        f"{count(len(clips), 'clip')}{' (' + ', '.join(clips) + ')' if clips else ''}, {entry['size']:,} bytes"
    )
    for notice in entry["notices"]:
        click.echo(f"  {notice}")
