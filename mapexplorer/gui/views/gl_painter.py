"""Draws the pictures of the OpenGL view in a thread of its own, the only one that calls OpenGL.

On software OpenGL a picture takes tens of milliseconds, in which the window could not handle events. Pictures are drawn
off screen and read back: with a `QOpenGLWidget`, Qt would compose the whole window by OpenGL for each picture, which
takes about as long on software OpenGL as the picture itself.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import TypeVar

from PyQt5.QtGui import QImage, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from mapexplorer.gui.jobs.worker import Task, Worker
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.opengl.camera import CameraMatrices
from mapexplorer.opengl.errors import GlError
from mapexplorer.opengl.offscreen import RenderTarget
from mapexplorer.opengl.picking import Pick
from mapexplorer.opengl.renderer import FieldRenderer
from mapexplorer.opengl.state import FrameState

T = TypeVar("T")

FIRST = -1
"""The priority of questions about a picture that is shown."""


@dataclass(frozen=True, eq=False)
class GlPicture:
    """The parameters of a picture: its size in pixels, its camera and its state."""

    width: int
    height: int
    camera: CameraMatrices
    state: FrameState


class GlPainter:
    """A renderer and its context in the thread of `worker`; the surface belongs to the window's thread. Changes and
    pictures come in the order in which they were asked for, and before them what a click asks about a picture that is
    shown.

    `failed` is called in the window's thread with an error of OpenGL, after which the painter cannot be used,
    `defective` with any other error of a job and its traceback.
    """

    def __init__(
        self, worker: Worker, failed: Callable[[str], None], defective: Callable[[BaseException, str], None]
    ) -> None:
        self._worker, self._failed, self._defective = worker, failed, defective
        self._surface = QOffscreenSurface()
        self._surface.setFormat(QSurfaceFormat.defaultFormat())
        self._surface.create()
        self._context: QOpenGLContext | None = None
        self._over = False
        self._target: RenderTarget | None = None
        self.renderer = FieldRenderer()
        worker.at_end = self._close

    @property
    def idle(self) -> bool:
        """Whether no job is queued or running."""
        return self._worker.idle

    def start(self, ready: Callable[[], None]) -> None:
        """Create the context and compile the shaders, then call `ready`."""

        def prepare(task: Task) -> None:
            self._open()
            try:
                self.renderer.initialize()
            except RuntimeError as error:
                raise GlError(str(error)) from error

        self._submit(prepare, lambda _: ready())

    def change(self, work: Callable[[FieldRenderer], None]) -> None:
        """Change what is drawn."""
        self._submit(lambda task: work(self.renderer), lambda _: None)

    def draw(self, picture: GlPicture, done: Callable[[QImage], None]) -> None:
        """Draw a picture."""
        self._submit(lambda task: self._image(picture), done)

    def pick(self, picture: GlPicture, x: float, y: float, done: Callable[[Pick | None], None]) -> None:
        """Find the model at a fraction of a picture."""
        self._submit(lambda task: self._pick(picture, x, y), done, FIRST)

    def picked(self, picture: GlPicture, x: float, y: float) -> Pick | None:
        """Find the model at a fraction of a picture and wait for the answer. Raises GlError."""
        return self.wait_for(lambda renderer: self._pick(picture, x, y), FIRST)

    def wait_for(self, work: Callable[[FieldRenderer], T], priority: int = 0) -> T:
        """Call a function in the thread, and wait for its result. Raises what it raises."""
        future: Future[T] = Future()

        def run(task: Task) -> None:
            try:
                future.set_result(work(self.renderer))
            except BaseException as error:
                future.set_exception(error)

        self._worker.submit(run, priority=priority)
        return future.result()

    def _submit(self, work: Callable[[Task], T], done: Callable[[T], None], priority: int = 0) -> None:
        def deliver(result: T) -> None:
            if not self._over:
                done(result)

        self._worker.submit(work, deliver, self._notify, priority=priority)

    def _notify(self, error: BaseException, trace: str) -> None:
        if self._over or isinstance(error, CancelledError):
            return
        if isinstance(error, GlError):
            self._over = True
            self._worker.clear()
            self._failed(str(error))
        else:
            self._defective(error, trace)

    # --- in the thread

    def _image(self, picture: GlPicture) -> QImage:
        """A picture in a framebuffer that is kept for the next one of its size."""
        size = picture.width, picture.height
        if self._target is None or (self._target.width, self._target.height) != size:
            if self._target is not None:
                self._target.release()
            self._target = None
            self._target = RenderTarget(*size)
        self.renderer.draw(self._target.framebuffer, *size, picture.camera, picture.state)
        # Qt draws this format fastest; its bytes are blue, green, red.
        return image_of(self._target.pixels(bgra=True), QImage.Format_RGB32)

    def _pick(self, picture: GlPicture, x: float, y: float) -> Pick | None:
        width, height = picture.width, picture.height
        return self.renderer.pick(x * width, y * height, width, height, picture.camera, picture.state)

    def _open(self) -> None:
        """Create the context; it is current in this thread until `_close`. Raises GlError when there is none."""
        context = QOpenGLContext()
        context.setFormat(QSurfaceFormat.defaultFormat())
        if not (self._surface.isValid() and context.create()):
            raise GlError("Qt makes no OpenGL context")
        if not context.makeCurrent(self._surface):
            raise GlError("Qt does not make the OpenGL context current")
        self._context = context

    def _close(self) -> None:
        if self._context is not None:
            self._context.doneCurrent()
            self._context = None
