"""The parts of a window: created in the order in which they need each other, not connected yet."""

from __future__ import annotations

from collections.abc import Callable

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QMainWindow, QWidget

from mapexplorer.gui.actions.action_set import ActionSet
from mapexplorer.gui.docks.bytes import BytesPanel
from mapexplorer.gui.docks.changes import ChangesPanel
from mapexplorer.gui.docks.docks import Docks
from mapexplorer.gui.docks.files import FilesPanel
from mapexplorer.gui.docks.heights import HeightsPanel
from mapexplorer.gui.docks.inspector import InspectorPanel
from mapexplorer.gui.docks.layers import LayersPanel
from mapexplorer.gui.docks.map_list import MapListPanel
from mapexplorer.gui.docks.maps import MapsPanel
from mapexplorer.gui.docks.matrix import MatrixPanel
from mapexplorer.gui.docks.models import ModelsPanel
from mapexplorer.gui.docks.names import NamesPanel
from mapexplorer.gui.docks.script import ScriptPanel
from mapexplorer.gui.docks.state import StatePanel
from mapexplorer.gui.docks.textures import TexturesPanel
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.shortcuts import Shortcuts
from mapexplorer.gui.model.walking import Walking
from mapexplorer.gui.modes.clock_timer import clock_timer
from mapexplorer.gui.modes.compare_mode import CompareMode
from mapexplorer.gui.modes.inspection import Inspection
from mapexplorer.gui.modes.map_mode import MapMode
from mapexplorer.gui.modes.picking import Picking
from mapexplorer.gui.modes.rom_watch import RomWatch
from mapexplorer.gui.modes.routes import Routes
from mapexplorer.gui.modes.walk_mode import WalkMode
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.views.area import Views
from mapexplorer.gui.widgets.layout import column
from mapexplorer.gui.widgets.notices import Notices
from mapexplorer.gui.widgets.status import StatusFields


class Parts(QMainWindow):
    """A window whose parts are attributes. A part knows those that it is created with; `Dialogs` and `Commands` know
    all of them.

    `opengl_problem` returns the reason why there is no OpenGL; it is called when the OpenGL view is first needed.
    """

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str] = lambda: "") -> None:
        super().__init__()
        self.explorer = explorer
        walking = Walking(explorer)
        self.jobs = JobController(explorer, walking, self)
        self.rom_watch = RomWatch(
            self.jobs, lambda: None if self.jobs.rom is None else self.jobs.rom.world.rom, self.jobs.reload, self
        )
        self.views = Views(explorer, self.jobs, opengl_problem)
        self.compare_mode = CompareMode(explorer, self.jobs, self.views)
        self.other_watch = RomWatch(
            self.jobs,
            lambda: None if self.jobs.other is None else self.jobs.other.world.rom,
            self.compare_mode.again,
            self,
        )
        self.pictures = Pictures(self.jobs, self)
        self.walk_mode = WalkMode(explorer, self.views, walking)
        self.clock_timer = clock_timer(explorer.clock, self)
        self.action_set = ActionSet(self, Shortcuts(explorer.settings))
        self.status = StatusFields(self.statusBar())
        self.notices = Notices(self.views)
        self.map_mode = MapMode(explorer, self.views, self.status, self.notices)
        self.routes = Routes(explorer, self.jobs, walking, self.notices)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.NoContextMenu)
        self.picture = QWidget()
        """The views and what is below them."""
        self.picture.setLayout(column((self.views, 1), margins=(0, 0, 0, 0), spacing=0))
        self._create_panels()
        self.setCentralWidget(self.docks.middle)
        self.inspection = Inspection(self.jobs, self.docks, self.inspector, self.bytes)
        self.picking = Picking(self.inspection, self.walk_mode, self.heights, self.status.cursor)

    def _create_panels(self) -> None:
        self.maps = MapsPanel(self.jobs)
        self.events = MapListPanel(self.jobs, self.pictures, "events")
        self.encounters = MapListPanel(self.jobs, self.pictures, "encounters")
        self.left = MapListPanel(self.jobs, self.pictures, "left", lambda tiles: self.explorer.mark(left=tiles))
        self.names = NamesPanel(self.jobs, self.pictures)
        self.files = FilesPanel(self.jobs, self.notices)
        self.textures = TexturesPanel(self.jobs)
        self.models = ModelsPanel(self.jobs)
        self.changes = ChangesPanel(self.compare_mode, self.pictures)
        self.inspector = InspectorPanel(self.explorer)
        self.script = ScriptPanel(self.jobs)
        self.bytes = BytesPanel(self.jobs)
        self.heights = HeightsPanel(self.jobs)
        self.state = StatePanel(self.explorer)
        self.layers = LayersPanel(self.explorer)
        self.matrix = MatrixPanel(self.views.map)
        lists = self.maps, self.events, self.encounters, self.left, self.names, self.changes
        left = *lists, self.files, self.textures, self.models
        right = self.inspector, self.script, self.bytes, self.heights, self.state
        self.docks = Docks(self, self.picture, (*left, *right), (self.layers, self.matrix))
