"""The schema of the database: its tables, and views for common questions. docs/database.md describes every column."""

from __future__ import annotations

from typing import Final

from mapexplorer.games import Topic
from mapexplorer.world.subject import Key

FORMAT: Final = 1
"""The version of the schema: incremented when a table or column changes its name or meaning, not when one is added."""

TOPICS: Final = (Topic.SCRIPTS, Topic.ENCOUNTERS, Topic.TRAINERS, Topic.ITEMS)
"""The parts of a game that tables are about and of which nothing may be known."""

PAGE_BYTES: Final = 16384
"""The size of a page: with the default of 4096, each blob of `land` wastes as much as it takes."""

TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE damaged (sentence TEXT, part TEXT);

CREATE TABLE header (
    header INTEGER PRIMARY KEY, internal_name TEXT, symbolic_name TEXT, location_name TEXT, place_name TEXT,
    kind TEXT, outdoors INTEGER, area INTEGER, preload_list INTEGER, matrix INTEGER, scripts INTEGER,
    init_scripts INTEGER, message_bank INTEGER, day_music INTEGER, night_music INTEGER, wild_encounters INTEGER,
    events INTEGER, label_text INTEGER, label_window INTEGER, weather INTEGER, camera INTEGER, map_type INTEGER,
    battle_background INTEGER, bicycle INTEGER, running INTEGER, escape_rope INTEGER, fly INTEGER);
CREATE TABLE header_weather (
    header INTEGER, weather INTEGER, name TEXT, days INTEGER, PRIMARY KEY (header, weather)) WITHOUT ROWID;
CREATE TABLE sequence (sequence INTEGER PRIMARY KEY, name TEXT, title TEXT, time TEXT);

CREATE TABLE matrix (matrix INTEGER PRIMARY KEY, prefix TEXT, width INTEGER, height INTEGER, has_headers INTEGER);
CREATE TABLE cell (
    matrix INTEGER, x INTEGER, z INTEGER, land INTEGER, altitude INTEGER, header INTEGER, area INTEGER,
    PRIMARY KEY (matrix, x, z)) WITHOUT ROWID;
CREATE TABLE area (area INTEGER PRIMARY KEY, prop_set INTEGER, terrain_set INTEGER, light_set INTEGER);
CREATE TABLE prop_set (prop_set INTEGER, prop INTEGER, PRIMARY KEY (prop_set, prop)) WITHOUT ROWID;
CREATE TABLE land (land INTEGER PRIMARY KEY, attributes BLOB);
CREATE TABLE land_behaviour (
    land INTEGER, behaviour INTEGER, tiles INTEGER, blocked INTEGER, PRIMARY KEY (land, behaviour)) WITHOUT ROWID;
CREATE TABLE behaviour (
    behaviour INTEGER PRIMARY KEY, name TEXT, wild_encounters INTEGER, surf INTEGER);
CREATE TABLE prop_placement (
    land INTEGER, placement INTEGER, prop INTEGER, x REAL, y REAL, z REAL, scale_x REAL, scale_y REAL, scale_z REAL,
    PRIMARY KEY (land, placement)) WITHOUT ROWID;

CREATE TABLE object (
    header INTEGER, object INTEGER, local_id INTEGER, graphics INTEGER, movement_type INTEGER, trainer_type INTEGER,
    hidden_flag INTEGER, script INTEGER, member INTEGER, entry INTEGER, trainer INTEGER, cloned_header INTEGER,
    direction INTEGER, parameter_0 INTEGER, parameter_1 INTEGER, parameter_2 INTEGER, range_x INTEGER,
    range_z INTEGER, x INTEGER, z INTEGER, y REAL,
    PRIMARY KEY (header, object)) WITHOUT ROWID;
CREATE TABLE background (
    header INTEGER, background INTEGER, script INTEGER, member INTEGER, entry INTEGER, type INTEGER, facing INTEGER,
    x INTEGER, z INTEGER, y INTEGER,
    PRIMARY KEY (header, background)) WITHOUT ROWID;
CREATE TABLE warp (
    header INTEGER, warp INTEGER, x INTEGER, z INTEGER, to_header INTEGER, to_warp INTEGER, to_x INTEGER, to_z INTEGER,
    PRIMARY KEY (header, warp)) WITHOUT ROWID;
CREATE TABLE trigger_event (
    header INTEGER, trigger INTEGER, script INTEGER, member INTEGER, entry INTEGER, variable INTEGER, value INTEGER,
    x INTEGER, z INTEGER, width INTEGER, length INTEGER, y INTEGER,
    PRIMARY KEY (header, trigger)) WITHOUT ROWID;
CREATE TABLE initial_script (
    header INTEGER, number INTEGER, moment TEXT, script INTEGER, member INTEGER, entry INTEGER, variable INTEGER,
    value INTEGER,
    PRIMARY KEY (header, number)) WITHOUT ROWID;

CREATE TABLE script_file (member INTEGER PRIMARY KEY, message_bank INTEGER, entries INTEGER);
CREATE TABLE script_entry (
    member INTEGER, entry INTEGER, at INTEGER, complete INTEGER, PRIMARY KEY (member, entry)) WITHOUT ROWID;
CREATE TABLE command (
    member INTEGER, at INTEGER, command INTEGER, reached INTEGER, PRIMARY KEY (member, at)) WITHOUT ROWID;
CREATE TABLE command_name (command INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE argument (
    member INTEGER, at INTEGER, argument INTEGER, name TEXT, kind TEXT, value INTEGER,
    PRIMARY KEY (member, at, argument)) WITHOUT ROWID;
CREATE TABLE movement (
    member INTEGER, at INTEGER, step INTEGER, action INTEGER, count INTEGER, reached INTEGER,
    PRIMARY KEY (member, at, step)) WITHOUT ROWID;
CREATE TABLE movement_action (action INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE effect (
    member INTEGER, entry INTEGER, effect TEXT, kind TEXT, value INTEGER, value_2 INTEGER, value_3 INTEGER);
CREATE TABLE text (bank INTEGER, text INTEGER, words TEXT, PRIMARY KEY (bank, text)) WITHOUT ROWID;
CREATE TABLE flag (flag INTEGER PRIMARY KEY, name TEXT, meaning TEXT);
CREATE TABLE flag_use (flag INTEGER, use TEXT, member INTEGER, at INTEGER, header INTEGER, object INTEGER);
CREATE TABLE variable (variable INTEGER PRIMARY KEY, name TEXT, meaning TEXT);

CREATE TABLE name (kind TEXT, number INTEGER, name TEXT, PRIMARY KEY (kind, number)) WITHOUT ROWID;

CREATE TABLE encounters (
    member INTEGER PRIMARY KEY, grass_rate INTEGER, surf_rate INTEGER, old_rod_rate INTEGER, good_rod_rate INTEGER,
    super_rod_rate INTEGER, unown_letters TEXT);
CREATE TABLE encounter_slot (
    member INTEGER, method TEXT, list TEXT, slot INTEGER, percent INTEGER, species INTEGER, lowest INTEGER,
    highest INTEGER,
    PRIMARY KEY (member, method, list, slot)) WITHOUT ROWID;
CREATE TABLE encounter_time (time TEXT PRIMARY KEY, list TEXT) WITHOUT ROWID;
CREATE TABLE place_species (
    header INTEGER, list TEXT, slot INTEGER, species INTEGER, percent INTEGER, lowest INTEGER, highest INTEGER,
    PRIMARY KEY (header, list, slot)) WITHOUT ROWID;
CREATE TABLE roamer (header INTEGER, species INTEGER, level INTEGER);
CREATE TABLE swarm (header INTEGER PRIMARY KEY);

CREATE TABLE trainer (
    trainer INTEGER PRIMARY KEY, name TEXT, class INTEGER, class_name TEXT, battle_type INTEGER, ai INTEGER,
    beaten_flag INTEGER, eyes_meet_music INTEGER);
CREATE TABLE trainer_item (trainer INTEGER, slot INTEGER, item INTEGER, PRIMARY KEY (trainer, slot)) WITHOUT ROWID;
CREATE TABLE trainer_pokemon (
    trainer INTEGER, slot INTEGER, species INTEGER, form INTEGER, level INTEGER, item INTEGER, iv_scale INTEGER,
    individual_value INTEGER, personality INTEGER, nature INTEGER, ability INTEGER, gender TEXT, capsule INTEGER,
    PRIMARY KEY (trainer, slot)) WITHOUT ROWID;
CREATE TABLE trainer_move (
    trainer INTEGER, slot INTEGER, move_slot INTEGER, move INTEGER, PRIMARY KEY (trainer, slot, move_slot))
    WITHOUT ROWID;
CREATE TABLE trainer_message (
    trainer INTEGER, message INTEGER, type INTEGER, occasion TEXT, words TEXT,
    PRIMARY KEY (trainer, message)) WITHOUT ROWID;

CREATE TABLE item (
    item INTEGER PRIMARY KEY, name TEXT, price INTEGER, field_pocket INTEGER, hold_effect INTEGER,
    hold_parameter INTEGER, fling_power INTEGER);
CREATE TABLE item_source (
    item INTEGER, source TEXT, header INTEGER, x INTEGER, z INTEGER, count INTEGER, flag INTEGER, patch INTEGER,
    member INTEGER, entry INTEGER, shop INTEGER, step INTEGER, coins INTEGER);

CREATE TABLE source (source INTEGER PRIMARY KEY, file TEXT, member INTEGER, origin TEXT, line INTEGER, hash BLOB);
CREATE TABLE thing (
    kind TEXT, key TEXT, name TEXT, about TEXT, searched TEXT, source INTEGER);
CREATE TABLE edge (
    user_kind TEXT, user TEXT, used_kind TEXT, used TEXT, how TEXT, part TEXT, part_key TEXT, part_name TEXT,
    header INTEGER, x INTEGER, z INTEGER, rule INTEGER, source INTEGER);
"""

EDGE_INDEXES: Final = """
CREATE INDEX edge_by_used ON edge (used_kind, used);
"""

INDEXES: Final = f"""{EDGE_INDEXES}
CREATE INDEX cell_by_header ON cell (header);
CREATE INDEX placement_by_prop ON prop_placement (prop);
CREATE INDEX effect_by_entry ON effect (member, entry);
CREATE INDEX flag_use_by_flag ON flag_use (flag);
CREATE INDEX slot_by_species ON encounter_slot (species);
CREATE INDEX item_source_by_item ON item_source (item);
CREATE INDEX thing_by_kind ON thing (kind, key);
"""

WORDS: Final = """
CREATE VIRTUAL TABLE words USING fts5(searched, content='', columnsize=0, tokenize='trigram');
INSERT INTO words (words, rank) VALUES ('hashsize', 100000000);
INSERT INTO words (rowid, searched) SELECT rowid, coalesce(searched, name) FROM thing;
"""
"""The index of all runs of three letters in names and texts, where SQLite has it (from 3.34 on)."""

FOLLOWING_WORDS: Final = """
CREATE TEMP TRIGGER thing_gone AFTER DELETE ON thing BEGIN
    INSERT INTO words (words, rowid, searched) VALUES ('delete', old.rowid, coalesce(old.searched, old.name)); END;
CREATE TEMP TRIGGER thing_new AFTER INSERT ON thing BEGIN
    INSERT INTO words (rowid, searched) VALUES (new.rowid, coalesce(new.searched, new.name)); END;
"""
"""Has the index of words follow changes of the table of things."""

VIEWS: Final = """
CREATE VIEW reference AS
    SELECT user_kind, CAST(user AS INTEGER) AS user, how AS field, part,
        coalesce(part_name, replace(part_key, '/', ',')) AS part_key, used_kind AS kind,
        CAST(used AS INTEGER) AS number
    FROM edge WHERE rule <= 0;
CREATE VIEW species AS SELECT number AS species, name FROM name WHERE kind = 'species';
CREATE VIEW move AS SELECT number AS move, name FROM name WHERE kind = 'moves';
CREATE VIEW place_cell AS
    SELECT header.header, cell.matrix, cell.x, cell.z, cell.land, coalesce(cell.area, header.area) AS area
    FROM header JOIN matrix USING (matrix) JOIN cell USING (matrix)
    WHERE cell.header = header.header OR NOT matrix.has_headers;
CREATE VIEW place_prop AS
    SELECT place_cell.header, place_cell.matrix, prop_placement.prop, place_cell.land, prop_placement.placement,
        512 * place_cell.x + 256 + prop_placement.x AS x, prop_placement.y,
        512 * place_cell.z + 256 + prop_placement.z AS z
    FROM place_cell JOIN prop_placement USING (land);
CREATE VIEW script_line AS
    SELECT command.member, command.at, command_name.name,
        group_concat(argument.name || '=' || argument.value, ' ') AS arguments, command.reached
    FROM command LEFT JOIN command_name USING (command)
    LEFT JOIN argument ON argument.member = command.member AND argument.at = command.at
    GROUP BY command.member, command.at;
CREATE VIEW spoken AS
    SELECT effect.member, effect.entry, text.bank, text.text, text.words
    FROM effect JOIN script_file USING (member)
    JOIN text ON text.bank = script_file.message_bank AND text.text = effect.value
    WHERE effect.effect = 'text';
CREATE VIEW grass AS
    SELECT usual.member, encounter_time.time, usual.slot, usual.percent,
        coalesce(other.species, usual.species) AS species, usual.lowest, usual.highest
    FROM encounter_slot AS usual CROSS JOIN encounter_time
    LEFT JOIN encounter_slot AS other ON other.member = usual.member AND other.method = usual.method
        AND other.list = encounter_time.list AND other.slot = usual.slot
    WHERE usual.method = 'grass' AND usual.list = 'file';
CREATE VIEW encounter AS
    SELECT header.header, 'grass' AS method, time, species, sum(percent) AS percent, min(lowest) AS lowest,
        max(highest) AS highest
    FROM header JOIN grass ON grass.member = header.wild_encounters GROUP BY header.header, time, species
    UNION ALL
    SELECT header.header, method, '' AS time, species, sum(percent), min(lowest), max(highest)
    FROM header JOIN encounter_slot ON encounter_slot.member = header.wild_encounters
    WHERE method <> 'grass' GROUP BY header.header, method, species;
CREATE VIEW map_music AS
    SELECT header.header, header.internal_name, header.location_name, 'day' AS time, day_music AS sequence,
        sequence.name
    FROM header LEFT JOIN sequence ON sequence.sequence = day_music
    UNION ALL
    SELECT header.header, header.internal_name, header.location_name, 'night', night_music, sequence.name
    FROM header LEFT JOIN sequence ON sequence.sequence = night_music
    UNION
    SELECT header.header, header.internal_name, header.location_name, command_name.name, argument.value, sequence.name
    FROM argument JOIN command USING (member, at) JOIN command_name USING (command)
    JOIN header ON header.scripts = argument.member LEFT JOIN sequence ON sequence.sequence = argument.value
    WHERE argument.kind = 'sound' AND command_name.name IN ('PlayMusic', 'SetBGM', 'SetSpecialBGM', 'PlayFanfare');
CREATE VIEW party AS
    SELECT trainer.trainer, trainer.class_name, trainer.name AS trainer_name, slot, species, species.name, level, item,
        individual_value, nature, gender
    FROM trainer JOIN trainer_pokemon USING (trainer) LEFT JOIN species USING (species);
CREATE VIEW place_trainer AS
    SELECT header.header, header.internal_name, header.location_name, object.object, x, z, trainer
    FROM object JOIN header USING (header) WHERE trainer IS NOT NULL;
CREATE VIEW place_item AS
    SELECT item_source.item, item.name, source, header.header, header.internal_name, header.location_name, x, z, count,
        flag
    FROM item_source JOIN header USING (header) LEFT JOIN item USING (item);
CREATE VIEW variable_use AS
    SELECT argument.value AS variable, command_name.name AS use, member, argument.at, NULL AS header
    FROM argument JOIN command USING (member, at) JOIN command_name USING (command) WHERE argument.kind = 'variable'
    UNION ALL SELECT variable, 'trigger', member, NULL, header FROM trigger_event
    UNION ALL SELECT variable, 'frame', member, NULL, header FROM initial_script WHERE variable IS NOT NULL;
CREATE VIEW run_script AS
    SELECT member, entry FROM object UNION SELECT member, entry FROM background
    UNION SELECT member, entry FROM trigger_event UNION SELECT member, entry FROM initial_script;
CREATE VIEW never_run AS
    SELECT script_entry.member, script_entry.entry, script_entry.at
    FROM script_entry WHERE member IN (SELECT scripts FROM header)
        AND (member, entry) NOT IN (SELECT member, entry FROM run_script WHERE member IS NOT NULL);
"""

_KEYS: Final = ("", "%s", "%s/%s", "%s/%s/%s", "%s/%s/%s/%s", "%s/%s/%s/%s/%s")
"""The texts of keys by the number of their parts."""


def key_text(key: Key) -> str:
    """The key of a thing as a column has it: `411/2`."""
    return _KEYS[len(key)] % key
