"""`convert`: loose models, textures and animations as GLB or PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.arguments import Number, OutputPath
from mapexplorer.cli.output import count, summary

if TYPE_CHECKING:
    from pathlib import Path

    from mapexplorer.export.loose import LooseFiles
    from mapexplorer.export.options import ExportOptions

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
def convert(files: tuple[str, ...], output: Path, **settings: Any) -> int:
    """Write loose files as GLB or PNG: NITRO models with texture sets and animations (NSBMD, NSBTX, NSBCA, NSBTP,
    NSBTA, NSBMA, NSBVA), GameCube models with joint animations (BMD, BDL, BCK), Iron3D models (MSH, NRes).

    Files are told by their contents. Names of textures are looked up in every texture set that is given. Texture sets
    alone, or an OUT that ends in .png, give a PNG for every pair of texture and palette.
    """
    from pathlib import Path

    from mapexplorer.export.loose import read_files, unused
    from mapexplorer.export.options import ExportOptions

    names = ("lit", "merge", "bake_mirror", "static", "pattern")
    try:
        options = ExportOptions(scale=settings["scale"] or _UNIT, **{name: settings[name] for name in names})
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    found = read_files([Path(name) for name in files])
    for note in found.notes:
        click.echo(f"  {note}", err=True)
    if output.suffix.lower() == ".png" or not found.model_count:
        return _write_pictures(found, output)
    failed = unused(found)
    for sentence in failed:
        click.echo(sentence, err=True)
    if output.suffix.lower() == ".glb" and found.model_count > 1:
        raise click.UsageError(f"{count(found.model_count, 'model')} do not fit into one GLB: give a folder.")
    written, clips, missing = _write_models(found, output, options, settings)
    summary(
        f"{count(written, 'model')} written with {count(clips, 'clip')}, {count(missing, 'name')} missing, "
        f"{len(failed)} failed."
    )
    return 1 if failed else 0


def _target(output: Path, name: str, suffix: str) -> Path:
    if output.suffix.lower() == suffix and not output.is_dir():
        return output
    kept = [letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in name]
    return output / f"{''.join(kept)}{suffix}"


def _unique(names: list[str]) -> list[str]:
    """The names with a number behind those that came before."""
    taken: set[str] = set()
    result = []
    for name in names:
        title, number = name, 1
        while title.lower() in taken:
            number += 1
            title = f"{name}_{number}"
        taken.add(title.lower())
        result.append(title)
    return result


def _write_pictures(found: LooseFiles, output: Path) -> int:
    from mapexplorer.errors import RomError
    from mapexplorer.export.files import write_atomically
    from mapexplorer.export.loose import used_pairs
    from mapexplorer.export.textures import picture

    pairs = used_pairs(found)
    if not pairs:
        what = "animations alone; give the model that they play on" if found.animations else "no textures"
        raise RomError(f"The given files hold {what}.")
    single = output.suffix.lower() == ".png" and not output.is_dir()
    if single and len(pairs) > 1:
        raise click.UsageError(f"{count(len(pairs), 'picture')} do not fit into one PNG: give a folder.")
    for name, pair in zip(_unique([pair.name for pair in pairs]), pairs, strict=True):
        texture, palette = pair.texture, pair.palette
        target = _target(output, name, ".png")
        write_atomically(target, picture(texture, palette).png)
        used = "" if palette is None else f", palette {palette.name}{' (guessed)' if pair.guessed else ''}"
        click.echo(f"{target}: {texture.name}, {texture.width} x {texture.height}{used}")
    guesses = sum(pair.guessed for pair in pairs)
    if guesses:
        click.echo(f"For {count(guesses, 'texture')} nothing says which palette; add a model that shows them.")
    summary(f"{count(len(pairs), 'picture')} written, 0 failed.")
    return 0


def _write_models(
    found: LooseFiles, output: Path, options: ExportOptions, settings: dict[str, Any]
) -> tuple[int, int, int]:
    """Write every model; the numbers of models, clips, and missing textures and palettes come back."""
    titles = [name for name, _, _ in found.models]
    titles += [name for name, _ in found.j3d_models] + [name for name, _ in found.msh_models]
    targets = [_target(output, name, ".glb") for name in _unique(titles)]
    clips = missing = 0
    for target, (_, model, textures) in zip(targets, found.models, strict=False):
        number, absent = _write_nitro(found, target, model, textures, options)
        clips += number
        missing += absent
    targets = targets[len(found.models) :]
    for target, (name, j3d_model) in zip(targets, found.j3d_models, strict=False):
        from mapexplorer.export.gltf.j3d import J3dOptions, j3d_document

        notes: list[Any] = []
        scale = J3dOptions(scale=settings["scale"] or 1.0)
        document = j3d_document(j3d_model, found.j3d_animations, name=name, options=scale, notes=notes)
        clips += _save(document, target, [str(note) for note in notes])
    for target, (name, msh) in zip(targets[len(found.j3d_models) :], found.msh_models, strict=True):
        from mapexplorer.export.gltf.msh import msh_document

        try:
            document = msh_document(msh, name=name, options=_msh_options(settings))
        except ValueError as error:
            if type(error) is ValueError:
                raise click.UsageError(str(error)) from None
            raise
        clips += _save(document, target, [])
    return found.model_count, clips, missing


def _msh_options(settings: dict[str, Any]) -> Any:
    from mapexplorer.export.gltf.msh import MshOptions

    return MshOptions(
        rate=settings["rate"],
        order=settings["order"],
        conjugate=not settings["no_conjugate"],
        mirror_x=settings["mirror_x"],
        keep_root_translation=not settings["drop_root_translation"],
        hidden=settings["hidden"],
        slot=settings["slot"],
        bake=settings["bake"],
        extras=settings["extras"],
    )


def _write_nitro(found: LooseFiles, target: Path, model: Any, textures: Any, options: ExportOptions) -> tuple[int, int]:
    from mapexplorer.export.gltf.animation import Clip
    from mapexplorer.export.gltf.nitro import model_document
    from mapexplorer.export.loose import animations_of, missing_pictures

    sets = [*([] if textures is None else [textures]), *(one for _, one in found.sets)]
    animations = animations_of(found, model)
    clips = [Clip(name, animation) for name, animation in animations]
    document, parts = model_document(model, *sets, options=options, clips=clips)
    missing = list(dict.fromkeys([*parts.missing, *missing_pictures(animations, sets)]))
    given = "no texture set was given" if not sets else "none of the given texture sets has it"
    notices = [f"{what} is missing: {given}; add the NSBTX that has it" for what in missing]
    shown = {animation["name"] for animation in document.items("animations")}
    if not options.static:
        notices += [
            f"clip {name} changes nothing that the file can show" for name, _ in animations if name not in shown
        ]
    return _save(document, target, notices), len(missing)


def _save(document: Any, target: Path, notices: list[str]) -> int:
    document.write(target)
    clips = [animation["name"] for animation in document.items("animations")]
    size = target.stat().st_size
    materials, images = (len(document.items(kind)) for kind in ("materials", "images"))
    click.echo(
        f"{target}: {count(materials, 'material')}, {count(images, 'texture')}, {count(len(clips), 'clip')}"
        f"{' (' + ', '.join(clips) + ')' if clips else ''}, {size:,} bytes"
    )
    for notice in notices:
        click.echo(f"  {notice}")
    return len(clips)
