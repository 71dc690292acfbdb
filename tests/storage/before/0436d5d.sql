-- """Run at commit 0436d5d: `PYTHONPATH=. python dump.py > 0436d5d.sql`."""
-- import asyncio
-- import sqlite3
-- import sys
-- from datetime import timedelta
-- from pathlib import Path
-- from random import Random
-- from tempfile import TemporaryDirectory
--
-- from bot.present.surfaces import asked_mark
-- from bot.storage.database import Database
-- from bot.storage.meta import SqlMeta, SqlPulse
-- from bot.storage.migrations import upgrade_open
-- from bot.storage.surfaces import SqlSurfaces
-- from bot.storage.tables import SqlTableStore
-- from bot.tables.limits import Limits
-- from bot.tables.model import ByPerson, DeadlineKind, Pace, Person
-- from bot.tables.ports import Due
-- from bot.tables.service import TableService
-- from engine.registry import games
-- from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, FakeClock, Recorder, SeededChance
--
-- PEOPLE = (ANN, BEN, CAT, DAN, EVE, FAY)
-- HEAD = Path(__file__).read_text()
--
--
-- async def main(file):
--     database = await Database.open(f"sqlite+aiosqlite:///{file}")
--     await upgrade_open(database)
--     clock, chance, numbers = FakeClock(), SeededChance(), Random(5)
--     tables = TableService(
--         SqlTableStore(database), clock=clock, chance=chance, announcer=Recorder(), games=games(),
--         limits=Limits(99, 99, 99, 99),
--     )
--     channels = iter(range(901, 999))
--     ids = iter(range(5_000, 99_999))
--
--     async def lobby(game, seats, people, pace=Pace.NONE, private=False, **given):
--         table = await tables.open(
--             guild=900, channel=next(channels), host=people[0], game=game, seats=seats, given=given,
--             private=private, pace=pace,
--         )
--         for person in people[1:]:
--             if private:
--                 await tables.invite(table.id, people[0].id, person.id)
--             table = await tables.sit(table.id, person)
--         return table
--
--     async def begun(*args, **given):
--         table = await lobby(*args, **given)
--         second = table.record.people[1].id
--         await tables.set_reachable(table.id, second, False)
--         await tables.cut(table.id, second, "kuckuck")
--         return await tables.start(table.id, table.record.host)
--
--     async def fire(table, kind):
--         (deadline,) = [d for d in table.record.deadlines if d.kind is kind]
--         clock.now = max(clock.now, deadline.due)
--         await tables.fire(Due(table.id, deadline))
--         return await tables.table(table.id)
--
--     async def dealt(table):
--         post = next(ids)
--         table = await tables.posted(table.id, table.round + 1, post)
--         boards[table.id] = post
--         return table
--
--     async def plies(table, count):
--         """So many plies; stops when the round is over."""
--         for _ in range(count):
--             if not table.actors:
--                 break
--             seat = numbers.choice(table.actors)
--             if table.answers_itself(seat):
--                 table = await fire(table, DeadlineKind.STANDING)
--                 continue
--             texts = [text for text in table.legal_texts(seat) if text != "resign"]
--             text, by = numbers.choice(texts), ByPerson(table.record.people[seat].id)
--             table = await tables.act(table.id, table.question(seat), by, text, next(ids))
--             clock.forward(3)
--         return table
--
--     async def round_played(table):
--         while table.actors:
--             table = await plies(table, 50)
--         return table
--
--     boards = {}
--     made = {}
--     made["lobby"] = table = await lobby("sticheln", 5, PEOPLE[:3], pace=Pace.DAILY, private=True)
--     await tables.invite(table.id, ANN.id, DAN.id)
--     await tables.kick(table.id, ANN.id, CAT.id)
--     await tables.cut(table.id, BEN.id, "x1")
--     table = await lobby("kaiserspiel", 4, PEOPLE[2:6])
--     made["held"] = await tables.hold(table.id, CAT.id)
--
--     table = await dealt(await begun("aufundab", 4, PEOPLE[:4], hands=2))
--     made["round"] = await plies(table, 9)
--     table = await dealt(
--         await begun("auffalscherfaehrte", 3, PEOPLE[1:4], pace=Pace.LIVE60, jokers=True, rounds=2)
--     )
--     table = await plies(table, 2)
--     made["secret"] = await fire(table, DeadlineKind.WARN)
--     table = await dealt(await begun("auffalscherfaehrte", 4, PEOPLE[1:5], rounds=3))
--     table = await dealt_next(tables, await round_played(table), dealt)
--     made["later"] = await plies(table, 14)
--     table = await dealt(await begun("kaiserspiel", 4, PEOPLE[:4], target=9))
--     table = await plies(table, 1)
--     for person in PEOPLE[:2]:
--         made["passes"] = await tables.standing(table.id, person.id, True, None)
--     table = await dealt(await begun("kaiserspiel", 4, PEOPLE[2:6], pace=Pace.RELAXED, target=9))
--     made["raises"] = await plies(table, 12)
--     table = await dealt(await begun("sticheln", 6, PEOPLE, pace=Pace.LIVE120, rounds=1))
--     for _ in range(2):
--         table = await plies(table, 1)
--         table = await fire(table, DeadlineKind.TURN)
--     while not any(place.away for place in table.record.places):
--         table = await fire(table, DeadlineKind.TURN)
--     made["away"] = table
--     table = await dealt(await begun("sticheln", 3, PEOPLE[:3], rounds=2))
--     table = await plies(table, 12)
--     await tables.leave(table.id, table.record.people[table.actors[0]].id)
--     made["left"] = await tables.table(table.id)
--     table = await dealt(await begun("sticheln", 4, PEOPLE[:4], pace=Pace.DAILY, rounds=1))
--     table = await plies(table, 10)
--     await tables.stalled(table.id, ["send_messages"])
--     made["stalled"] = await tables.table(table.id)
--     table = await round_played(await dealt(await begun("aufundab", 3, PEOPLE[:3], pace=Pace.LIVE180)))
--     await tables.cut(table.id, ANN.id, "Abend7")
--     made["pause"] = await tables.ready(table.id, BEN.id, None)
--     made["closed"] = await begun("auffalscherfaehrte", 3, PEOPLE[3:6])
--     table = await round_played(await dealt(await begun("sticheln", 3, PEOPLE[3:6])))
--     for person in PEOPLE[3:6]:
--         table = await tables.ready(table.id, person.id, None)
--     made["closed again"] = table
--     for name, game, given in (
--         ("finished", "aufundab", {"target": 3}), ("finished too", "sticheln", {"rounds": 1}),
--     ):
--         table = await dealt(await begun(game, 3, PEOPLE[:3], **given))
--         while (table := await round_played(table)).outcome is None:
--             table = await dealt_next(tables, table, dealt)
--         made[name] = table
--     made["rematch"] = await tables.rematch(made["finished"].id, CAT)
--     table = await plies(await dealt(await begun("kaiserspiel", 4, PEOPLE[:4])), 3)
--     made["stopped"] = await tables.end(table.id, ANN.id, moderator=True)
--     table = await lobby("aufundab", None, PEOPLE[:2])
--     made["expired"] = await tables.end(table.id, ANN.id, moderator=False)
--
--     # Boards and hands, lines that call somebody, and messages that are still to be deleted.
--     rows, drawn = {}, {}
--     for name, before in made.items():
--         table = await tables.table(before.id)
--         record = table.record
--         mark = -1 if not record.status.is_open else table.round
--         board = boards.get(table.id, next(ids))
--         rows[table.id, 0] = (record.channel, board, clock.now, mark)
--         drawn[table.id] = record.version - (name == "round")
--         if not record.status.is_open and name != "stopped":
--             continue
--         for seat, place in enumerate(record.places):
--             person = place.person
--             if person in (None, BEN) or name == "stopped":
--                 continue
--             asked = table.question(seat) if seat in table.actors else table.deal_ply
--             hand = asked_mark(asked) if table.round else -1
--             rows[table.id, person.id] = (7_000 + person.id, next(ids), clock.now, hand)
--         if table.actors or name == "stopped":
--             line = asked_mark(table.ply, record.warned is not None)
--             rows[table.id, -1] = (record.channel, next(ids), clock.now, line)
--         if name in ("round", "away", "stopped"):
--             for _ in range(2):
--                 old = next(ids)
--                 rows[table.id, -2 - old] = (record.channel, old, clock.now, 3)
--     await SqlSurfaces(database).save(rows, drawn)
--     await SqlMeta(database).put("commands", "0" * 64)
--     await SqlPulse(SqlMeta(database)).write(clock.now)
--     await database.close()
--     return {made[name].id: name for name in made}
--
--
-- async def dealt_next(tables, table, dealt):
--     for person in table.record.people:
--         table = await tables.ready(table.id, person.id, None)
--     return await dealt(table)
--
--
-- with TemporaryDirectory() as folder:
--     file = Path(folder) / "before.sqlite3"
--     names = asyncio.run(main(file))
--     sys.stdout.writelines(f"-- {line}".rstrip() + "\n" for line in HEAD.splitlines())
--     sys.stdout.write("\n")
--     sys.stdout.writelines(f"-- {table}: {name}\n" for table, name in names.items())
--     connection = sqlite3.connect(file)
--     sys.stdout.writelines(f"{line}\n" for line in connection.iterdump())
--     connection.close()

-- T1: lobby
-- T2: held
-- T3: round
-- T4: secret
-- T5: later
-- T6: passes
-- T7: raises
-- T8: away
-- T9: left
-- T10: stalled
-- T11: pause
-- T12: closed
-- T13: closed again
-- T14: finished
-- T15: finished too
-- T16: rematch
-- T17: stopped
-- T18: expired
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE deadlines (
	table_id VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	question INTEGER NOT NULL, 
	due DATETIME NOT NULL, 
	CONSTRAINT pk_deadlines PRIMARY KEY (table_id, position), 
	CONSTRAINT fk_deadlines_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "deadlines" VALUES('T1',0,'lobby',0,'2026-03-01 12:15:00.000000');
INSERT INTO "deadlines" VALUES('T10',0,'stall',0,'2026-03-08 12:10:18.000000');
INSERT INTO "deadlines" VALUES('T11',0,'next_round',86,'2026-03-01 12:15:30.000000');
INSERT INTO "deadlines" VALUES('T12',0,'post',0,'2026-03-01 12:14:48.000000');
INSERT INTO "deadlines" VALUES('T13',0,'post',46,'2026-03-01 12:17:03.000000');
INSERT INTO "deadlines" VALUES('T16',0,'lobby',0,'2026-03-01 12:41:48.000000');
INSERT INTO "deadlines" VALUES('T2',0,'lobby',0,'2026-03-01 12:15:00.000000');
INSERT INTO "deadlines" VALUES('T4',0,'turn',1,'2026-03-01 12:01:27.000000');
INSERT INTO "deadlines" VALUES('T7',0,'warn',13,'2026-03-01 12:12:39.000000');
INSERT INTO "deadlines" VALUES('T7',1,'turn',13,'2026-03-01 12:15:09.000000');
INSERT INTO "deadlines" VALUES('T8',0,'warn',9,'2026-03-01 12:10:42.000000');
INSERT INTO "deadlines" VALUES('T8',1,'turn',9,'2026-03-01 12:11:12.000000');
INSERT INTO "deadlines" VALUES('T9',0,'standing',13,'2026-03-01 12:09:50.000000');
CREATE TABLE entries (
	table_id VARCHAR(16) NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	interaction_id BIGINT, "by" VARCHAR(16) DEFAULT 'person' NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (table_id, ply), 
	CONSTRAINT fk_entries_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES('T10',0,-1,'{"dealer":null,"start":0,"trump":null,"deal":{"hands":[["R5","R8","Y7","Y8","G3","G5","G10","B0","B3","B4","B6","B10","P1","P8","P10"],["R0","R3","R7","Y2","Y5","Y9","G2","G4","G7","B1","B7","B9","B11","P3","P11"],["R1","R6","R9","R10","R11","Y4","Y6","G1","G9","B2","B5","P0","P4","P5","P7"],["R2","R4","Y0","Y1","Y3","Y10","Y11","G0","G6","G8","G11","B8","P2","P6","P9"]],"aside":[]}}','2026-03-01 12:09:48.000000',NULL,'person');
INSERT INTO "entries" VALUES('T10',1,0,'choose Y8','2026-03-01 12:09:48.000000',5114,'person');
INSERT INTO "entries" VALUES('T10',2,1,'choose B1','2026-03-01 12:09:51.000000',5115,'person');
INSERT INTO "entries" VALUES('T10',3,3,'choose G8','2026-03-01 12:09:54.000000',5116,'person');
INSERT INTO "entries" VALUES('T10',4,2,'choose R10','2026-03-01 12:09:57.000000',5117,'person');
INSERT INTO "entries" VALUES('T10',5,0,'play B10','2026-03-01 12:10:00.000000',5118,'person');
INSERT INTO "entries" VALUES('T10',6,1,'play G4','2026-03-01 12:10:03.000000',5119,'person');
INSERT INTO "entries" VALUES('T10',7,2,'play R9','2026-03-01 12:10:06.000000',5120,'person');
INSERT INTO "entries" VALUES('T10',8,3,'play Y0','2026-03-01 12:10:09.000000',5121,'person');
INSERT INTO "entries" VALUES('T10',9,2,'play G1','2026-03-01 12:10:12.000000',5122,'person');
INSERT INTO "entries" VALUES('T10',10,3,'play G6','2026-03-01 12:10:15.000000',5123,'person');
INSERT INTO "entries" VALUES('T11',0,-1,'{"dealer":null,"start":0,"trump":null,"deal":{"hands":[["0-0","0-2","0-5","0-8","1-4","1-5","1-8","2-2","2-6","2-8","3-3","4-4","4-7","4-8","4-9","7-7","7-8","7-9"],["0-4","0-6","0-9","1-1","1-2","1-9","2-5","2-7","3-5","3-8","5-5","5-6","5-8","5-9","6-7","6-9","8-8","9-9"],["0-1","0-3","0-7","1-3","1-6","1-7","2-3","2-4","2-9","3-4","3-6","3-7","4-5","4-6","5-7","6-6","6-8","8-9"]],"aside":["3-9"]}}','2026-03-01 12:10:18.000000',NULL,'person');
INSERT INTO "entries" VALUES('T11',1,0,'play 0-0 0-2','2026-03-01 12:10:18.000000',5125,'person');
INSERT INTO "entries" VALUES('T11',2,1,'play 6-7 6-9','2026-03-01 12:10:21.000000',5126,'person');
INSERT INTO "entries" VALUES('T11',3,2,'pass','2026-03-01 12:10:24.000000',5127,'person');
INSERT INTO "entries" VALUES('T11',4,0,'play 7-8 7-9','2026-03-01 12:10:27.000000',5128,'person');
INSERT INTO "entries" VALUES('T11',5,1,'pass','2026-03-01 12:10:30.000000',5129,'person');
INSERT INTO "entries" VALUES('T11',6,0,'pass','2026-03-01 12:10:33.000000',5130,'person');
INSERT INTO "entries" VALUES('T11',7,0,'play 4-8','2026-03-01 12:10:36.000000',5131,'person');
INSERT INTO "entries" VALUES('T11',8,1,'play 9-9','2026-03-01 12:10:39.000000',5132,'person');
INSERT INTO "entries" VALUES('T11',9,2,'pass','2026-03-01 12:10:42.000000',5133,'person');
INSERT INTO "entries" VALUES('T11',10,0,'pass','2026-03-01 12:10:45.000000',5134,'person');
INSERT INTO "entries" VALUES('T11',11,1,'pass','2026-03-01 12:10:48.000000',5135,'person');
INSERT INTO "entries" VALUES('T11',12,1,'play 5-8 5-9','2026-03-01 12:10:51.000000',5136,'person');
INSERT INTO "entries" VALUES('T11',13,2,'play 6-6x2','2026-03-01 12:10:54.000000',5137,'person');
INSERT INTO "entries" VALUES('T11',14,0,'play 7-7x2','2026-03-01 12:10:57.000000',5138,'person');
INSERT INTO "entries" VALUES('T11',15,1,'play 8-8x2','2026-03-01 12:11:00.000000',5139,'person');
INSERT INTO "entries" VALUES('T11',16,2,'pass','2026-03-01 12:11:03.000000',5140,'person');
INSERT INTO "entries" VALUES('T11',17,0,'pass','2026-03-01 12:11:06.000000',5141,'person');
INSERT INTO "entries" VALUES('T11',18,1,'pass','2026-03-01 12:11:09.000000',5142,'person');
INSERT INTO "entries" VALUES('T11',19,1,'play 0-4 0-6 0-9','2026-03-01 12:11:12.000000',5143,'person');
INSERT INTO "entries" VALUES('T11',20,2,'pass','2026-03-01 12:11:15.000000',5144,'person');
INSERT INTO "entries" VALUES('T11',21,0,'pass','2026-03-01 12:11:18.000000',5145,'person');
INSERT INTO "entries" VALUES('T11',22,1,'pass','2026-03-01 12:11:21.000000',5146,'person');
INSERT INTO "entries" VALUES('T11',23,1,'play 1-9','2026-03-01 12:11:24.000000',5147,'person');
INSERT INTO "entries" VALUES('T11',24,2,'play 4-6','2026-03-01 12:11:27.000000',5148,'person');
INSERT INTO "entries" VALUES('T11',25,0,'play 1-4','2026-03-01 12:11:30.000000',5149,'person');
INSERT INTO "entries" VALUES('T11',26,1,'pass','2026-03-01 12:11:33.000000',5150,'person');
INSERT INTO "entries" VALUES('T11',27,2,'play 0-3','2026-03-01 12:11:36.000000',5151,'person');
INSERT INTO "entries" VALUES('T11',28,0,'play 2-2','2026-03-01 12:11:39.000000',5152,'person');
INSERT INTO "entries" VALUES('T11',29,2,'pass','2026-03-01 12:11:42.000000',5153,'person');
INSERT INTO "entries" VALUES('T11',30,0,'pass','2026-03-01 12:11:45.000000',5154,'person');
INSERT INTO "entries" VALUES('T11',31,0,'play 4-7','2026-03-01 12:11:48.000000',5155,'person');
INSERT INTO "entries" VALUES('T11',32,1,'pass','2026-03-01 12:11:51.000000',5156,'person');
INSERT INTO "entries" VALUES('T11',33,2,'play 2-4','2026-03-01 12:11:54.000000',5157,'person');
INSERT INTO "entries" VALUES('T11',34,0,'play 3-3','2026-03-01 12:11:57.000000',5158,'person');
INSERT INTO "entries" VALUES('T11',35,2,'play 0-1','2026-03-01 12:12:00.000000',5159,'person');
INSERT INTO "entries" VALUES('T11',36,0,'pass','2026-03-01 12:12:03.000000',5160,'person');
INSERT INTO "entries" VALUES('T11',37,2,'pass','2026-03-01 12:12:06.000000',5161,'person');
INSERT INTO "entries" VALUES('T11',38,2,'play 2-3','2026-03-01 12:12:09.000000',5162,'person');
INSERT INTO "entries" VALUES('T11',39,0,'pass','2026-03-01 12:12:12.000000',5163,'person');
INSERT INTO "entries" VALUES('T11',40,1,'play 1-1','2026-03-01 12:12:15.000000',5164,'person');
INSERT INTO "entries" VALUES('T11',41,2,'pass','2026-03-01 12:12:18.000000',5165,'person');
INSERT INTO "entries" VALUES('T11',42,1,'pass','2026-03-01 12:12:21.000000',5166,'person');
INSERT INTO "entries" VALUES('T11',43,1,'play 5-5x2','2026-03-01 12:12:24.000000',5167,'person');
INSERT INTO "entries" VALUES('T11',44,2,'pass','2026-03-01 12:12:27.000000',5168,'person');
INSERT INTO "entries" VALUES('T11',45,0,'play 4-4x2','2026-03-01 12:12:30.000000',5169,'person');
INSERT INTO "entries" VALUES('T11',46,1,'pass','2026-03-01 12:12:33.000000',5170,'person');
INSERT INTO "entries" VALUES('T11',47,0,'pass','2026-03-01 12:12:36.000000',5171,'person');
INSERT INTO "entries" VALUES('T11',48,0,'play 0-8','2026-03-01 12:12:39.000000',5172,'person');
INSERT INTO "entries" VALUES('T11',49,1,'play 5-6','2026-03-01 12:12:42.000000',5173,'person');
INSERT INTO "entries" VALUES('T11',50,2,'play 3-4','2026-03-01 12:12:45.000000',5174,'person');
INSERT INTO "entries" VALUES('T11',51,0,'pass','2026-03-01 12:12:48.000000',5175,'person');
INSERT INTO "entries" VALUES('T11',52,1,'play 1-2','2026-03-01 12:12:51.000000',5176,'person');
INSERT INTO "entries" VALUES('T11',53,2,'pass','2026-03-01 12:12:54.000000',5177,'person');
INSERT INTO "entries" VALUES('T11',54,1,'pass','2026-03-01 12:12:57.000000',5178,'person');
INSERT INTO "entries" VALUES('T11',55,1,'play 2-5','2026-03-01 12:13:00.000000',5179,'person');
INSERT INTO "entries" VALUES('T11',56,2,'pass','2026-03-01 12:13:03.000000',5180,'person');
INSERT INTO "entries" VALUES('T11',57,0,'pass','2026-03-01 12:13:06.000000',5181,'person');
INSERT INTO "entries" VALUES('T11',58,1,'pass','2026-03-01 12:13:09.000000',5182,'person');
INSERT INTO "entries" VALUES('T11',59,1,'play 2-7','2026-03-01 12:13:12.000000',5183,'person');
INSERT INTO "entries" VALUES('T11',60,2,'play 4-5','2026-03-01 12:13:15.000000',5184,'person');
INSERT INTO "entries" VALUES('T11',61,0,'pass','2026-03-01 12:13:18.000000',5185,'person');
INSERT INTO "entries" VALUES('T11',62,1,'pass','2026-03-01 12:13:21.000000',5186,'person');
INSERT INTO "entries" VALUES('T11',63,2,'play 1-3','2026-03-01 12:13:24.000000',5187,'person');
INSERT INTO "entries" VALUES('T11',64,2,'pass','2026-03-01 12:13:27.000000',5188,'person');
INSERT INTO "entries" VALUES('T11',65,2,'play 3-7','2026-03-01 12:13:30.000000',5189,'person');
INSERT INTO "entries" VALUES('T11',66,0,'play 2-6','2026-03-01 12:13:33.000000',5190,'person');
INSERT INTO "entries" VALUES('T11',67,1,'pass','2026-03-01 12:13:36.000000',5191,'person');
INSERT INTO "entries" VALUES('T11',68,2,'pass','2026-03-01 12:13:39.000000',5192,'person');
INSERT INTO "entries" VALUES('T11',69,0,'play 1-5','2026-03-01 12:13:42.000000',5193,'person');
INSERT INTO "entries" VALUES('T11',70,0,'pass','2026-03-01 12:13:45.000000',5194,'person');
INSERT INTO "entries" VALUES('T11',71,0,'play 0-5','2026-03-01 12:13:48.000000',5195,'person');
INSERT INTO "entries" VALUES('T11',72,1,'pass','2026-03-01 12:13:51.000000',5196,'person');
INSERT INTO "entries" VALUES('T11',73,2,'pass','2026-03-01 12:13:54.000000',5197,'person');
INSERT INTO "entries" VALUES('T11',74,0,'pass','2026-03-01 12:13:57.000000',5198,'person');
INSERT INTO "entries" VALUES('T11',75,0,'play 1-8','2026-03-01 12:14:00.000000',5199,'person');
INSERT INTO "entries" VALUES('T11',76,1,'pass','2026-03-01 12:14:03.000000',5200,'person');
INSERT INTO "entries" VALUES('T11',77,2,'play 5-7','2026-03-01 12:14:06.000000',5201,'person');
INSERT INTO "entries" VALUES('T11',78,0,'pass','2026-03-01 12:14:09.000000',5202,'person');
INSERT INTO "entries" VALUES('T11',79,2,'pass','2026-03-01 12:14:12.000000',5203,'person');
INSERT INTO "entries" VALUES('T11',80,2,'play 1-7','2026-03-01 12:14:15.000000',5204,'person');
INSERT INTO "entries" VALUES('T11',81,0,'pass','2026-03-01 12:14:18.000000',5205,'person');
INSERT INTO "entries" VALUES('T11',82,1,'play 3-8','2026-03-01 12:14:21.000000',5206,'person');
INSERT INTO "entries" VALUES('T11',83,2,'pass','2026-03-01 12:14:24.000000',5207,'person');
INSERT INTO "entries" VALUES('T11',84,1,'pass','2026-03-01 12:14:27.000000',5208,'person');
INSERT INTO "entries" VALUES('T11',85,1,'play 3-5','2026-03-01 12:14:30.000000',5209,'person');
INSERT INTO "entries" VALUES('T13',0,-1,'{"dealer":null,"start":0,"trump":null,"deal":{"hands":[["R3","R8","Y5","Y8","G0","G5","G8","B1","B2","B3","B4","B7","P0","P1","P8"],["R0","R6","R7","Y1","Y3","Y6","G2","B0","B5","B8","P2","P3","P4","P6","P7"],["R1","R2","R4","R5","Y0","Y2","Y4","Y7","G1","G3","G4","G6","G7","B6","P5"]],"aside":[]}}','2026-03-01 12:14:33.000000',NULL,'person');
INSERT INTO "entries" VALUES('T13',1,0,'choose B3','2026-03-01 12:14:33.000000',5211,'person');
INSERT INTO "entries" VALUES('T13',2,1,'choose P3','2026-03-01 12:14:36.000000',5212,'person');
INSERT INTO "entries" VALUES('T13',3,2,'choose P5','2026-03-01 12:14:39.000000',5213,'person');
INSERT INTO "entries" VALUES('T13',4,0,'play R3','2026-03-01 12:14:42.000000',5214,'person');
INSERT INTO "entries" VALUES('T13',5,1,'play R6','2026-03-01 12:14:45.000000',5215,'person');
INSERT INTO "entries" VALUES('T13',6,2,'play G4','2026-03-01 12:14:48.000000',5216,'person');
INSERT INTO "entries" VALUES('T13',7,2,'play Y7','2026-03-01 12:14:51.000000',5217,'person');
INSERT INTO "entries" VALUES('T13',8,0,'play P0','2026-03-01 12:14:54.000000',5218,'person');
INSERT INTO "entries" VALUES('T13',9,1,'play R0','2026-03-01 12:14:57.000000',5219,'person');
INSERT INTO "entries" VALUES('T13',10,2,'play B6','2026-03-01 12:15:00.000000',5220,'person');
INSERT INTO "entries" VALUES('T13',11,0,'play Y8','2026-03-01 12:15:03.000000',5221,'person');
INSERT INTO "entries" VALUES('T13',12,1,'play P2','2026-03-01 12:15:06.000000',5222,'person');
INSERT INTO "entries" VALUES('T13',13,0,'play G8','2026-03-01 12:15:09.000000',5223,'person');
INSERT INTO "entries" VALUES('T13',14,1,'play P4','2026-03-01 12:15:12.000000',5224,'person');
INSERT INTO "entries" VALUES('T13',15,2,'play Y0','2026-03-01 12:15:15.000000',5225,'person');
INSERT INTO "entries" VALUES('T13',16,1,'play P6','2026-03-01 12:15:18.000000',5226,'person');
INSERT INTO "entries" VALUES('T13',17,2,'play R5','2026-03-01 12:15:21.000000',5227,'person');
INSERT INTO "entries" VALUES('T13',18,0,'play B7','2026-03-01 12:15:24.000000',5228,'person');
INSERT INTO "entries" VALUES('T13',19,0,'play G0','2026-03-01 12:15:27.000000',5229,'person');
INSERT INTO "entries" VALUES('T13',20,1,'play R7','2026-03-01 12:15:30.000000',5230,'person');
INSERT INTO "entries" VALUES('T13',21,2,'play R2','2026-03-01 12:15:33.000000',5231,'person');
INSERT INTO "entries" VALUES('T13',22,1,'play Y3','2026-03-01 12:15:36.000000',5232,'person');
INSERT INTO "entries" VALUES('T13',23,2,'play G7','2026-03-01 12:15:39.000000',5233,'person');
INSERT INTO "entries" VALUES('T13',24,0,'play P1','2026-03-01 12:15:42.000000',5234,'person');
INSERT INTO "entries" VALUES('T13',25,2,'play Y4','2026-03-01 12:15:45.000000',5235,'person');
INSERT INTO "entries" VALUES('T13',26,0,'play R8','2026-03-01 12:15:48.000000',5236,'person');
INSERT INTO "entries" VALUES('T13',27,1,'play B5','2026-03-01 12:15:51.000000',5237,'person');
INSERT INTO "entries" VALUES('T13',28,0,'play Y5','2026-03-01 12:15:54.000000',5238,'person');
INSERT INTO "entries" VALUES('T13',29,1,'play B0','2026-03-01 12:15:57.000000',5239,'person');
INSERT INTO "entries" VALUES('T13',30,2,'play G6','2026-03-01 12:16:00.000000',5240,'person');
INSERT INTO "entries" VALUES('T13',31,2,'play R1','2026-03-01 12:16:03.000000',5241,'person');
INSERT INTO "entries" VALUES('T13',32,0,'play B1','2026-03-01 12:16:06.000000',5242,'person');
INSERT INTO "entries" VALUES('T13',33,1,'play P7','2026-03-01 12:16:09.000000',5243,'person');
INSERT INTO "entries" VALUES('T13',34,1,'play G2','2026-03-01 12:16:12.000000',5244,'person');
INSERT INTO "entries" VALUES('T13',35,2,'play G1','2026-03-01 12:16:15.000000',5245,'person');
INSERT INTO "entries" VALUES('T13',36,0,'play B4','2026-03-01 12:16:18.000000',5246,'person');
INSERT INTO "entries" VALUES('T13',37,0,'play B2','2026-03-01 12:16:21.000000',5247,'person');
INSERT INTO "entries" VALUES('T13',38,1,'play B8','2026-03-01 12:16:24.000000',5248,'person');
INSERT INTO "entries" VALUES('T13',39,2,'play G3','2026-03-01 12:16:27.000000',5249,'person');
INSERT INTO "entries" VALUES('T13',40,2,'play Y2','2026-03-01 12:16:30.000000',5250,'person');
INSERT INTO "entries" VALUES('T13',41,0,'play G5','2026-03-01 12:16:33.000000',5251,'person');
INSERT INTO "entries" VALUES('T13',42,1,'play Y1','2026-03-01 12:16:36.000000',5252,'person');
INSERT INTO "entries" VALUES('T13',43,0,'play P8','2026-03-01 12:16:39.000000',5253,'person');
INSERT INTO "entries" VALUES('T13',44,1,'play Y6','2026-03-01 12:16:42.000000',5254,'person');
INSERT INTO "entries" VALUES('T13',45,2,'play R4','2026-03-01 12:16:45.000000',5255,'person');
INSERT INTO "entries" VALUES('T14',0,-1,'{"dealer":null,"start":0,"trump":null,"deal":{"hands":[["0-0","0-6","1-1","2-3","2-4","2-6","2-8","2-9","3-6","3-8","3-9","4-7","4-8","5-6","5-7","5-8","6-8","9-9"],["0-1","0-3","0-7","0-8","1-2","1-4","1-7","1-8","2-2","2-5","2-7","3-5","3-7","4-4","5-9","6-6","6-9","7-9"],["0-2","0-4","0-5","0-9","1-3","1-5","1-6","1-9","3-4","4-5","4-6","4-9","5-5","6-7","7-7","7-8","8-8","8-9"]],"aside":["3-3"]}}','2026-03-01 12:16:48.000000',NULL,'person');
INSERT INTO "entries" VALUES('T14',1,0,'play 0-0 0-6','2026-03-01 12:16:48.000000',5257,'person');
INSERT INTO "entries" VALUES('T14',2,1,'play 2-2 2-5','2026-03-01 12:16:51.000000',5258,'person');
INSERT INTO "entries" VALUES('T14',3,2,'play 7-7 7-8','2026-03-01 12:16:54.000000',5259,'person');
INSERT INTO "entries" VALUES('T14',4,0,'play 9-9x2','2026-03-01 12:16:57.000000',5260,'person');
INSERT INTO "entries" VALUES('T14',5,1,'pass','2026-03-01 12:17:00.000000',5261,'person');
INSERT INTO "entries" VALUES('T14',6,2,'pass','2026-03-01 12:17:03.000000',5262,'person');
INSERT INTO "entries" VALUES('T14',7,0,'pass','2026-03-01 12:17:06.000000',5263,'person');
INSERT INTO "entries" VALUES('T14',8,0,'play 2-4 2-8','2026-03-01 12:17:09.000000',5264,'person');
INSERT INTO "entries" VALUES('T14',9,1,'play 3-5 3-7','2026-03-01 12:17:12.000000',5265,'person');
INSERT INTO "entries" VALUES('T14',10,2,'play 4-5 4-9','2026-03-01 12:17:15.000000',5266,'person');
INSERT INTO "entries" VALUES('T14',11,0,'play 5-7 5-8','2026-03-01 12:17:18.000000',5267,'person');
INSERT INTO "entries" VALUES('T14',12,1,'play 6-6x2','2026-03-01 12:17:21.000000',5268,'person');
INSERT INTO "entries" VALUES('T14',13,2,'pass','2026-03-01 12:17:24.000000',5269,'person');
INSERT INTO "entries" VALUES('T14',14,0,'pass','2026-03-01 12:17:27.000000',5270,'person');
INSERT INTO "entries" VALUES('T14',15,1,'pass','2026-03-01 12:17:30.000000',5271,'person');
INSERT INTO "entries" VALUES('T14',16,1,'play 0-8','2026-03-01 12:17:33.000000',5272,'person');
INSERT INTO "entries" VALUES('T14',17,2,'play 0-5','2026-03-01 12:17:36.000000',5273,'person');
INSERT INTO "entries" VALUES('T14',18,0,'play 1-1','2026-03-01 12:17:39.000000',5274,'person');
INSERT INTO "entries" VALUES('T14',19,1,'pass','2026-03-01 12:17:42.000000',5275,'person');
INSERT INTO "entries" VALUES('T14',20,2,'pass','2026-03-01 12:17:45.000000',5276,'person');
INSERT INTO "entries" VALUES('T14',21,0,'pass','2026-03-01 12:17:48.000000',5277,'person');
INSERT INTO "entries" VALUES('T14',22,0,'play 3-8','2026-03-01 12:17:51.000000',5278,'person');
INSERT INTO "entries" VALUES('T14',23,1,'play 0-3','2026-03-01 12:17:54.000000',5279,'person');
INSERT INTO "entries" VALUES('T14',24,2,'pass','2026-03-01 12:17:57.000000',5280,'person');
INSERT INTO "entries" VALUES('T14',25,0,'pass','2026-03-01 12:18:00.000000',5281,'person');
INSERT INTO "entries" VALUES('T14',26,1,'play 1-2','2026-03-01 12:18:03.000000',5282,'person');
INSERT INTO "entries" VALUES('T14',27,1,'play 0-1','2026-03-01 12:18:06.000000',5283,'person');
INSERT INTO "entries" VALUES('T14',28,1,'pass','2026-03-01 12:18:09.000000',5284,'person');
INSERT INTO "entries" VALUES('T14',29,1,'play 6-9','2026-03-01 12:18:12.000000',5285,'person');
INSERT INTO "entries" VALUES('T14',30,2,'play 3-4','2026-03-01 12:18:15.000000',5286,'person');
INSERT INTO "entries" VALUES('T14',31,0,'play 2-3','2026-03-01 12:18:18.000000',5287,'person');
INSERT INTO "entries" VALUES('T14',32,1,'pass','2026-03-01 12:18:21.000000',5288,'person');
INSERT INTO "entries" VALUES('T14',33,2,'pass','2026-03-01 12:18:24.000000',5289,'person');
INSERT INTO "entries" VALUES('T14',34,0,'pass','2026-03-01 12:18:27.000000',5290,'person');
INSERT INTO "entries" VALUES('T14',35,0,'play 2-6','2026-03-01 12:18:30.000000',5291,'person');
INSERT INTO "entries" VALUES('T14',36,1,'pass','2026-03-01 12:18:33.000000',5292,'person');
INSERT INTO "entries" VALUES('T14',37,2,'play 5-5','2026-03-01 12:18:36.000000',5293,'person');
INSERT INTO "entries" VALUES('T14',38,0,'pass','2026-03-01 12:18:39.000000',5294,'person');
INSERT INTO "entries" VALUES('T14',39,2,'pass','2026-03-01 12:18:42.000000',5295,'person');
INSERT INTO "entries" VALUES('T14',40,2,'play 1-5','2026-03-01 12:18:45.000000',5296,'person');
INSERT INTO "entries" VALUES('T14',41,0,'pass','2026-03-01 12:18:48.000000',5297,'person');
INSERT INTO "entries" VALUES('T14',42,1,'pass','2026-03-01 12:18:51.000000',5298,'person');
INSERT INTO "entries" VALUES('T14',43,2,'pass','2026-03-01 12:18:54.000000',5299,'person');
INSERT INTO "entries" VALUES('T14',44,2,'play 1-3','2026-03-01 12:18:57.000000',5300,'person');
INSERT INTO "entries" VALUES('T14',45,0,'pass','2026-03-01 12:19:00.000000',5301,'person');
INSERT INTO "entries" VALUES('T14',46,1,'pass','2026-03-01 12:19:03.000000',5302,'person');
INSERT INTO "entries" VALUES('T14',47,2,'play 0-2','2026-03-01 12:19:06.000000',5303,'person');
INSERT INTO "entries" VALUES('T14',48,2,'pass','2026-03-01 12:19:09.000000',5304,'person');
INSERT INTO "entries" VALUES('T14',49,2,'play 0-4','2026-03-01 12:19:12.000000',5305,'person');
INSERT INTO "entries" VALUES('T14',50,0,'pass','2026-03-01 12:19:15.000000',5306,'person');
INSERT INTO "entries" VALUES('T14',51,1,'pass','2026-03-01 12:19:18.000000',5307,'person');
INSERT INTO "entries" VALUES('T14',52,2,'pass','2026-03-01 12:19:21.000000',5308,'person');
INSERT INTO "entries" VALUES('T14',53,2,'play 0-9 1-9 8-9','2026-03-01 12:19:24.000000',5309,'person');
INSERT INTO "entries" VALUES('T14',54,0,'pass','2026-03-01 12:19:27.000000',5310,'person');
INSERT INTO "entries" VALUES('T14',55,1,'play 0-7 1-7 2-7','2026-03-01 12:19:30.000000',5311,'person');
INSERT INTO "entries" VALUES('T14',56,2,'pass','2026-03-01 12:19:33.000000',5312,'person');
INSERT INTO "entries" VALUES('T14',57,1,'play 1-4 4-4x2','2026-03-01 12:19:36.000000',5313,'person');
INSERT INTO "entries" VALUES('T14',58,1,'pass','2026-03-01 12:19:39.000000',5314,'person');
INSERT INTO "entries" VALUES('T14',59,1,'play 5-9 7-9','2026-03-01 12:19:42.000000',5315,'person');
INSERT INTO "entries" VALUES('T14',60,2,'play 8-8x2','2026-03-01 12:19:45.000000',5316,'person');
INSERT INTO "entries" VALUES('T14',61,0,'play 3-6 5-6','2026-03-01 12:19:48.000000',5317,'person');
INSERT INTO "entries" VALUES('T14',62,1,'pass','2026-03-01 12:19:51.000000',5318,'person');
INSERT INTO "entries" VALUES('T14',63,2,'pass','2026-03-01 12:19:54.000000',5319,'person');
INSERT INTO "entries" VALUES('T14',64,0,'pass','2026-03-01 12:19:57.000000',5320,'person');
INSERT INTO "entries" VALUES('T14',65,0,'play 4-7','2026-03-01 12:20:00.000000',5321,'person');
INSERT INTO "entries" VALUES('T14',66,1,'pass','2026-03-01 12:20:03.000000',5322,'person');
INSERT INTO "entries" VALUES('T14',67,2,'pass','2026-03-01 12:20:06.000000',5323,'person');
INSERT INTO "entries" VALUES('T14',68,0,'play 6-8','2026-03-01 12:20:09.000000',5324,'person');
INSERT INTO "entries" VALUES('T14',69,0,'pass','2026-03-01 12:20:12.000000',5325,'person');
INSERT INTO "entries" VALUES('T14',70,0,'play 4-8','2026-03-01 12:20:15.000000',5326,'person');
INSERT INTO "entries" VALUES('T14',71,1,'pass','2026-03-01 12:20:18.000000',5327,'person');
INSERT INTO "entries" VALUES('T14',72,2,'play 6-7','2026-03-01 12:20:21.000000',5328,'person');
INSERT INTO "entries" VALUES('T14',73,0,'pass','2026-03-01 12:20:24.000000',5329,'person');
INSERT INTO "entries" VALUES('T14',74,2,'pass','2026-03-01 12:20:27.000000',5330,'person');
INSERT INTO "entries" VALUES('T14',75,2,'play 1-6','2026-03-01 12:20:30.000000',5331,'person');
INSERT INTO "entries" VALUES('T14',76,0,'play 2-9','2026-03-01 12:20:33.000000',5332,'person');
INSERT INTO "entries" VALUES('T14',77,1,'pass','2026-03-01 12:20:36.000000',5333,'person');
INSERT INTO "entries" VALUES('T14',78,2,'play 4-6','2026-03-01 12:20:39.000000',5334,'person');
INSERT INTO "entries" VALUES('T14',79,-1,'{"dealer":null,"start":0,"trump":null,"deal":{"hands":[["0-0","0-2","0-5","0-6","0-8","1-2","1-3","1-5","1-7","2-9","3-5","3-7","3-8","4-4","4-8","5-5","6-7","8-8"],["0-3","0-4","0-7","2-2","2-3","2-4","2-6","2-7","3-3","3-4","3-6","4-5","4-6","4-7","6-6","6-8","6-9","7-8"],["0-1","0-9","1-1","1-4","1-6","1-8","1-9","2-5","2-8","3-9","4-9","5-6","5-7","5-9","7-7","7-9","8-9","9-9"]],"aside":["5-8"]}}','2026-03-01 12:20:42.000000',NULL,'person');
INSERT INTO "entries" VALUES('T14',80,0,'play 0-0 0-2','2026-03-01 12:20:42.000000',5336,'person');
INSERT INTO "entries" VALUES('T14',81,1,'play 2-2 2-7','2026-03-01 12:20:45.000000',5337,'person');
INSERT INTO "entries" VALUES('T14',82,2,'play 7-7x2','2026-03-01 12:20:48.000000',5338,'person');
INSERT INTO "entries" VALUES('T14',83,0,'play 8-8x2','2026-03-01 12:20:51.000000',5339,'person');
INSERT INTO "entries" VALUES('T14',84,1,'pass','2026-03-01 12:20:54.000000',5340,'person');
INSERT INTO "entries" VALUES('T14',85,2,'pass','2026-03-01 12:20:57.000000',5341,'person');
INSERT INTO "entries" VALUES('T14',86,0,'pass','2026-03-01 12:21:00.000000',5342,'person');
INSERT INTO "entries" VALUES('T14',87,0,'play 0-5 5-5','2026-03-01 12:21:03.000000',5343,'person');
INSERT INTO "entries" VALUES('T14',88,1,'play 3-3x2','2026-03-01 12:21:06.000000',5344,'person');
INSERT INTO "entries" VALUES('T14',89,2,'play 1-1x2','2026-03-01 12:21:09.000000',5345,'person');
INSERT INTO "entries" VALUES('T14',90,0,'pass','2026-03-01 12:21:12.000000',5346,'person');
INSERT INTO "entries" VALUES('T14',91,1,'pass','2026-03-01 12:21:15.000000',5347,'person');
INSERT INTO "entries" VALUES('T14',92,2,'pass','2026-03-01 12:21:18.000000',5348,'person');
INSERT INTO "entries" VALUES('T14',93,2,'play 1-9 3-9','2026-03-01 12:21:21.000000',5349,'person');
INSERT INTO "entries" VALUES('T14',94,0,'play 3-7 6-7','2026-03-01 12:21:24.000000',5350,'person');
INSERT INTO "entries" VALUES('T14',95,1,'play 2-4 3-4','2026-03-01 12:21:27.000000',5351,'person');
INSERT INTO "entries" VALUES('T14',96,2,'pass','2026-03-01 12:21:30.000000',5352,'person');
INSERT INTO "entries" VALUES('T14',97,0,'pass','2026-03-01 12:21:33.000000',5353,'person');
INSERT INTO "entries" VALUES('T14',98,1,'pass','2026-03-01 12:21:36.000000',5354,'person');
INSERT INTO "entries" VALUES('T14',99,1,'play 4-6 6-6x2','2026-03-01 12:21:39.000000',5355,'person');
INSERT INTO "entries" VALUES('T14',100,2,'pass','2026-03-01 12:21:42.000000',5356,'person');
INSERT INTO "entries" VALUES('T14',101,0,'pass','2026-03-01 12:21:45.000000',5357,'person');
INSERT INTO "entries" VALUES('T14',102,1,'pass','2026-03-01 12:21:48.000000',5358,'person');
INSERT INTO "entries" VALUES('T14',103,1,'play 2-6 3-6','2026-03-01 12:21:51.000000',5359,'person');
INSERT INTO "entries" VALUES('T14',104,2,'pass','2026-03-01 12:21:54.000000',5360,'person');
INSERT INTO "entries" VALUES('T14',105,0,'play 4-4x2','2026-03-01 12:21:57.000000',5361,'person');
INSERT INTO "entries" VALUES('T14',106,1,'play 0-3 2-3','2026-03-01 12:22:00.000000',5362,'person');
INSERT INTO "entries" VALUES('T14',107,0,'pass','2026-03-01 12:22:03.000000',5363,'person');
INSERT INTO "entries" VALUES('T14',108,1,'pass','2026-03-01 12:22:06.000000',5364,'person');
INSERT INTO "entries" VALUES('T14',109,1,'play 0-4','2026-03-01 12:22:09.000000',5365,'person');
INSERT INTO "entries" VALUES('T14',110,2,'play 5-7','2026-03-01 12:22:12.000000',5366,'person');
INSERT INTO "entries" VALUES('T14',111,0,'pass','2026-03-01 12:22:15.000000',5367,'person');
INSERT INTO "entries" VALUES('T14',112,1,'pass','2026-03-01 12:22:18.000000',5368,'person');
INSERT INTO "entries" VALUES('T14',113,2,'play 9-9','2026-03-01 12:22:21.000000',5369,'person');
INSERT INTO "entries" VALUES('T14',114,2,'pass','2026-03-01 12:22:24.000000',5370,'person');
INSERT INTO "entries" VALUES('T14',115,2,'play 0-9','2026-03-01 12:22:27.000000',5371,'person');
INSERT INTO "entries" VALUES('T14',116,0,'play 3-8','2026-03-01 12:22:30.000000',5372,'person');
INSERT INTO "entries" VALUES('T14',117,1,'play 6-8','2026-03-01 12:22:33.000000',5373,'person');
INSERT INTO "entries" VALUES('T14',118,2,'pass','2026-03-01 12:22:36.000000',5374,'person');
INSERT INTO "entries" VALUES('T14',119,0,'pass','2026-03-01 12:22:39.000000',5375,'person');
INSERT INTO "entries" VALUES('T14',120,1,'play 7-8','2026-03-01 12:22:42.000000',5376,'person');
INSERT INTO "entries" VALUES('T14',121,1,'pass','2026-03-01 12:22:45.000000',5377,'person');
INSERT INTO "entries" VALUES('T14',122,1,'play 4-7','2026-03-01 12:22:48.000000',5378,'person');
INSERT INTO "entries" VALUES('T14',123,2,'play 5-6','2026-03-01 12:22:51.000000',5379,'person');
INSERT INTO "entries" VALUES('T14',124,0,'play 3-5','2026-03-01 12:22:54.000000',5380,'person');
INSERT INTO "entries" VALUES('T14',125,1,'pass','2026-03-01 12:22:57.000000',5381,'person');
INSERT INTO "entries" VALUES('T14',126,2,'pass','2026-03-01 12:23:00.000000',5382,'person');
INSERT INTO "entries" VALUES('T14',127,0,'pass','2026-03-01 12:23:03.000000',5383,'person');
INSERT INTO "entries" VALUES('T14',128,0,'play 4-8','2026-03-01 12:23:06.000000',5384,'person');
INSERT INTO "entries" VALUES('T14',129,1,'pass','2026-03-01 12:23:09.000000',5385,'person');
INSERT INTO "entries" VALUES('T14',130,2,'play 2-5','2026-03-01 12:23:12.000000',5386,'person');
INSERT INTO "entries" VALUES('T14',131,0,'play 1-3','2026-03-01 12:23:15.000000',5387,'person');
INSERT INTO "entries" VALUES('T14',132,2,'pass','2026-03-01 12:23:18.000000',5388,'person');
INSERT INTO "entries" VALUES('T14',133,0,'play 1-2','2026-03-01 12:23:21.000000',5389,'person');
INSERT INTO "entries" VALUES('T14',134,0,'pass','2026-03-01 12:23:24.000000',5390,'person');
INSERT INTO "entries" VALUES('T14',135,0,'play 0-8','2026-03-01 12:23:27.000000',5391,'person');
INSERT INTO "entries" VALUES('T14',136,1,'pass','2026-03-01 12:23:30.000000',5392,'person');
INSERT INTO "entries" VALUES('T14',137,2,'play 1-6','2026-03-01 12:23:33.000000',5393,'person');
INSERT INTO "entries" VALUES('T14',138,0,'play 1-5','2026-03-01 12:23:36.000000',5394,'person');
INSERT INTO "entries" VALUES('T14',139,2,'play 1-4','2026-03-01 12:23:39.000000',5395,'person');
INSERT INTO "entries" VALUES('T14',140,0,'pass','2026-03-01 12:23:42.000000',5396,'person');
INSERT INTO "entries" VALUES('T14',141,2,'play 0-1','2026-03-01 12:23:45.000000',5397,'person');
INSERT INTO "entries" VALUES('T14',142,2,'pass','2026-03-01 12:23:48.000000',5398,'person');
INSERT INTO "entries" VALUES('T14',143,2,'play 4-9 5-9 7-9','2026-03-01 12:23:51.000000',5399,'person');
INSERT INTO "entries" VALUES('T14',144,0,'pass','2026-03-01 12:23:54.000000',5400,'person');
INSERT INTO "entries" VALUES('T14',145,1,'pass','2026-03-01 12:23:57.000000',5401,'person');
INSERT INTO "entries" VALUES('T14',146,2,'pass','2026-03-01 12:24:00.000000',5402,'person');
INSERT INTO "entries" VALUES('T14',147,2,'play 1-8','2026-03-01 12:24:03.000000',5403,'person');
INSERT INTO "entries" VALUES('T14',148,0,'play 1-7','2026-03-01 12:24:06.000000',5404,'person');
INSERT INTO "entries" VALUES('T14',149,1,'play 4-5','2026-03-01 12:24:09.000000',5405,'person');
INSERT INTO "entries" VALUES('T14',150,2,'pass','2026-03-01 12:24:12.000000',5406,'person');
INSERT INTO "entries" VALUES('T14',151,0,'pass','2026-03-01 12:24:15.000000',5407,'person');
INSERT INTO "entries" VALUES('T14',152,1,'pass','2026-03-01 12:24:18.000000',5408,'person');
INSERT INTO "entries" VALUES('T14',153,1,'play 6-9','2026-03-01 12:24:21.000000',5409,'person');
INSERT INTO "entries" VALUES('T14',154,2,'play 2-8','2026-03-01 12:24:24.000000',5410,'person');
INSERT INTO "entries" VALUES('T14',155,0,'pass','2026-03-01 12:24:27.000000',5411,'person');
INSERT INTO "entries" VALUES('T14',156,1,'play 0-7','2026-03-01 12:24:30.000000',5412,'person');
INSERT INTO "entries" VALUES('T15',0,-1,'{"dealer":null,"start":2,"trump":null,"deal":{"hands":[["R7","R8","Y6","Y8","G0","G1","G8","B1","B3","B4","B5","P3","P6","P7","P8"],["R0","R2","R4","R5","Y1","Y2","Y3","Y4","Y5","G4","G5","B2","P1","P2","P5"],["R1","R3","R6","Y0","Y7","G2","G3","G6","G7","B0","B6","B7","B8","P0","P4"]],"aside":[]}}','2026-03-01 12:24:33.000000',NULL,'person');
INSERT INTO "entries" VALUES('T15',1,2,'choose G3','2026-03-01 12:24:33.000000',5414,'person');
INSERT INTO "entries" VALUES('T15',2,1,'choose R0','2026-03-01 12:24:36.000000',5415,'person');
INSERT INTO "entries" VALUES('T15',3,0,'choose G8','2026-03-01 12:24:39.000000',5416,'person');
INSERT INTO "entries" VALUES('T15',4,2,'play P0','2026-03-01 12:24:42.000000',5417,'person');
INSERT INTO "entries" VALUES('T15',5,0,'play P3','2026-03-01 12:24:45.000000',5418,'person');
INSERT INTO "entries" VALUES('T15',6,1,'play Y4','2026-03-01 12:24:48.000000',5419,'person');
INSERT INTO "entries" VALUES('T15',7,1,'play R4','2026-03-01 12:24:51.000000',5420,'person');
INSERT INTO "entries" VALUES('T15',8,2,'play Y0','2026-03-01 12:24:54.000000',5421,'person');
INSERT INTO "entries" VALUES('T15',9,0,'play Y8','2026-03-01 12:24:57.000000',5422,'person');
INSERT INTO "entries" VALUES('T15',10,0,'play G1','2026-03-01 12:25:00.000000',5423,'person');
INSERT INTO "entries" VALUES('T15',11,1,'play P1','2026-03-01 12:25:03.000000',5424,'person');
INSERT INTO "entries" VALUES('T15',12,2,'play R6','2026-03-01 12:25:06.000000',5425,'person');
INSERT INTO "entries" VALUES('T15',13,2,'play P4','2026-03-01 12:25:09.000000',5426,'person');
INSERT INTO "entries" VALUES('T15',14,0,'play Y6','2026-03-01 12:25:12.000000',5427,'person');
INSERT INTO "entries" VALUES('T15',15,1,'play P5','2026-03-01 12:25:15.000000',5428,'person');
INSERT INTO "entries" VALUES('T15',16,0,'play P8','2026-03-01 12:25:18.000000',5429,'person');
INSERT INTO "entries" VALUES('T15',17,1,'play G4','2026-03-01 12:25:21.000000',5430,'person');
INSERT INTO "entries" VALUES('T15',18,2,'play B0','2026-03-01 12:25:24.000000',5431,'person');
INSERT INTO "entries" VALUES('T15',19,1,'play P2','2026-03-01 12:25:27.000000',5432,'person');
INSERT INTO "entries" VALUES('T15',20,2,'play G6','2026-03-01 12:25:30.000000',5433,'person');
INSERT INTO "entries" VALUES('T15',21,0,'play B3','2026-03-01 12:25:33.000000',5434,'person');
INSERT INTO "entries" VALUES('T15',22,2,'play B6','2026-03-01 12:25:36.000000',5435,'person');
INSERT INTO "entries" VALUES('T15',23,0,'play P6','2026-03-01 12:25:39.000000',5436,'person');
INSERT INTO "entries" VALUES('T15',24,1,'play Y1','2026-03-01 12:25:42.000000',5437,'person');
INSERT INTO "entries" VALUES('T15',25,0,'play G0','2026-03-01 12:25:45.000000',5438,'person');
INSERT INTO "entries" VALUES('T15',26,1,'play Y3','2026-03-01 12:25:48.000000',5439,'person');
INSERT INTO "entries" VALUES('T15',27,2,'play Y7','2026-03-01 12:25:51.000000',5440,'person');
INSERT INTO "entries" VALUES('T15',28,2,'play B8','2026-03-01 12:25:54.000000',5441,'person');
INSERT INTO "entries" VALUES('T15',29,0,'play P7','2026-03-01 12:25:57.000000',5442,'person');
INSERT INTO "entries" VALUES('T15',30,1,'play R2','2026-03-01 12:26:00.000000',5443,'person');
INSERT INTO "entries" VALUES('T15',31,0,'play R8','2026-03-01 12:26:03.000000',5444,'person');
INSERT INTO "entries" VALUES('T15',32,1,'play Y5','2026-03-01 12:26:06.000000',5445,'person');
INSERT INTO "entries" VALUES('T15',33,2,'play G7','2026-03-01 12:26:09.000000',5446,'person');
INSERT INTO "entries" VALUES('T15',34,2,'play R3','2026-03-01 12:26:12.000000',5447,'person');
INSERT INTO "entries" VALUES('T15',35,0,'play R7','2026-03-01 12:26:15.000000',5448,'person');
INSERT INTO "entries" VALUES('T15',36,1,'play Y2','2026-03-01 12:26:18.000000',5449,'person');
INSERT INTO "entries" VALUES('T15',37,1,'play R5','2026-03-01 12:26:21.000000',5450,'person');
INSERT INTO "entries" VALUES('T15',38,2,'play G2','2026-03-01 12:26:24.000000',5451,'person');
INSERT INTO "entries" VALUES('T15',39,0,'play B4','2026-03-01 12:26:27.000000',5452,'person');
INSERT INTO "entries" VALUES('T15',40,0,'play B5','2026-03-01 12:26:30.000000',5453,'person');
INSERT INTO "entries" VALUES('T15',41,1,'play G5','2026-03-01 12:26:33.000000',5454,'person');
INSERT INTO "entries" VALUES('T15',42,2,'play B7','2026-03-01 12:26:36.000000',5455,'person');
INSERT INTO "entries" VALUES('T15',43,1,'play B2','2026-03-01 12:26:39.000000',5456,'person');
INSERT INTO "entries" VALUES('T15',44,2,'play R1','2026-03-01 12:26:42.000000',5457,'person');
INSERT INTO "entries" VALUES('T15',45,0,'play B1','2026-03-01 12:26:45.000000',5458,'person');
INSERT INTO "entries" VALUES('T17',0,-1,'{"dealer":0,"start":1,"trump":null,"deal":{"pack":["SO","A5","B6","A7","R7","BO","R6","A4","RO","R4","B4","S2","AB","B3","R5","B2","BU","SU","SK","B5","S7","S6","A2","S4","RU","SB","R3","AK","A6","A3","BB","R2","AO","B7","BK","S3","RB","RK","AU","S5"]}}','2026-03-01 12:26:48.000000',NULL,'person');
INSERT INTO "entries" VALUES('T17',1,1,'threeup','2026-03-01 12:26:48.000000',5460,'person');
INSERT INTO "entries" VALUES('T17',2,0,'accept','2026-03-01 12:26:51.000000',5461,'person');
INSERT INTO "entries" VALUES('T17',3,0,'threeup','2026-03-01 12:26:54.000000',5462,'person');
INSERT INTO "entries" VALUES('T3',0,-1,'{"dealer":null,"start":1,"trump":null,"deal":{"hands":[["0-2","1-8","2-5","2-6","2-9","3-4","3-9","4-4","4-9","5-8","6-7","7-9","8-9"],["0-0","0-4","0-8","1-1","1-2","1-9","2-3","2-7","2-8","3-3","3-5","4-8","7-7"],["0-1","0-6","0-7","0-9","1-4","2-4","3-6","3-7","4-7","5-7","6-8","7-8","8-8"],["0-3","0-5","1-3","1-5","1-6","1-7","3-8","4-5","4-6","5-5","5-6","6-6","6-9"]],"aside":["2-2","5-9","9-9"]}}','2026-03-01 12:00:00.000000',NULL,'person');
INSERT INTO "entries" VALUES('T3',1,1,'play 0-0x2 0-4','2026-03-01 12:00:00.000000',5001,'person');
INSERT INTO "entries" VALUES('T3',2,2,'pass','2026-03-01 12:00:03.000000',5002,'person');
INSERT INTO "entries" VALUES('T3',3,3,'play 5-5x2 5-6','2026-03-01 12:00:06.000000',5003,'person');
INSERT INTO "entries" VALUES('T3',4,0,'pass','2026-03-01 12:00:09.000000',5004,'person');
INSERT INTO "entries" VALUES('T3',5,1,'pass','2026-03-01 12:00:12.000000',5005,'person');
INSERT INTO "entries" VALUES('T3',6,3,'pass','2026-03-01 12:00:15.000000',5006,'person');
INSERT INTO "entries" VALUES('T3',7,3,'play 1-3 1-5 1-6 1-7','2026-03-01 12:00:18.000000',5007,'person');
INSERT INTO "entries" VALUES('T3',8,0,'pass','2026-03-01 12:00:21.000000',5008,'person');
INSERT INTO "entries" VALUES('T3',9,1,'pass','2026-03-01 12:00:24.000000',5009,'person');
INSERT INTO "entries" VALUES('T4',0,-1,'{"dealer":2,"start":0,"trump":"R","deal":{"hands":[["R2","R3","R6","R9","G0","G2","G5","G6","G9","B1","B2","B3","B5","J"],["R0","R1","R4","R5","R8","Y0","G8","B0","B4","B6","B8","B9","J","J"],["R7","Y1","Y2","Y3","Y4","Y5","Y6","Y7","Y9","G1","G3","G4","G7","B7"]],"aside":["Y8"],"reveal":[1,0,2]}}','2026-03-01 12:00:27.000000',NULL,'person');
INSERT INTO "entries" VALUES('T4',1,1,'hide R8','2026-03-01 12:00:27.000000',5011,'person');
INSERT INTO "entries" VALUES('T4',2,0,'hide B5','2026-03-01 12:00:30.000000',5012,'person');
INSERT INTO "entries" VALUES('T5',0,-1,'{"dealer":2,"start":3,"trump":"R","deal":{"hands":[["R3","R10","Y0","Y2","Y3","Y11","G3","G6","G10","G11","G12","B2","B3"],["R1","R7","R11","R12","Y6","Y9","G1","G8","G9","B1","B4","B9","B12"],["R0","R4","Y5","Y7","Y8","Y12","G0","B0","B5","B6","B8","B10","B11"],["R2","R5","R6","R8","R9","Y1","Y4","Y10","G2","G4","G5","G7","B7"]],"aside":[],"reveal":[3,1,2,0]}}','2026-03-01 12:01:12.000000',NULL,'person');
INSERT INTO "entries" VALUES('T5',1,3,'hide R6','2026-03-01 12:01:12.000000',5014,'person');
INSERT INTO "entries" VALUES('T5',2,0,'hide Y0','2026-03-01 12:01:15.000000',5015,'person');
INSERT INTO "entries" VALUES('T5',3,2,'hide Y5','2026-03-01 12:01:18.000000',5016,'person');
INSERT INTO "entries" VALUES('T5',4,1,'hide R1','2026-03-01 12:01:21.000000',5017,'person');
INSERT INTO "entries" VALUES('T5',5,3,'play R9','2026-03-01 12:01:24.000000',5018,'person');
INSERT INTO "entries" VALUES('T5',6,0,'play R3','2026-03-01 12:01:27.000000',5019,'person');
INSERT INTO "entries" VALUES('T5',7,1,'play R11','2026-03-01 12:01:30.000000',5020,'person');
INSERT INTO "entries" VALUES('T5',8,2,'play R0','2026-03-01 12:01:33.000000',5021,'person');
INSERT INTO "entries" VALUES('T5',9,1,'play Y6','2026-03-01 12:01:36.000000',5022,'person');
INSERT INTO "entries" VALUES('T5',10,2,'play Y8','2026-03-01 12:01:39.000000',5023,'person');
INSERT INTO "entries" VALUES('T5',11,3,'play Y1','2026-03-01 12:01:42.000000',5024,'person');
INSERT INTO "entries" VALUES('T5',12,0,'play Y3','2026-03-01 12:01:45.000000',5025,'person');
INSERT INTO "entries" VALUES('T5',13,2,'play Y12','2026-03-01 12:01:48.000000',5026,'person');
INSERT INTO "entries" VALUES('T5',14,3,'play Y4','2026-03-01 12:01:51.000000',5027,'person');
INSERT INTO "entries" VALUES('T5',15,0,'play Y11','2026-03-01 12:01:54.000000',5028,'person');
INSERT INTO "entries" VALUES('T5',16,1,'play Y9','2026-03-01 12:01:57.000000',5029,'person');
INSERT INTO "entries" VALUES('T5',17,2,'play B5','2026-03-01 12:02:00.000000',5030,'person');
INSERT INTO "entries" VALUES('T5',18,3,'play B7','2026-03-01 12:02:03.000000',5031,'person');
INSERT INTO "entries" VALUES('T5',19,0,'play B3','2026-03-01 12:02:06.000000',5032,'person');
INSERT INTO "entries" VALUES('T5',20,1,'play B12','2026-03-01 12:02:09.000000',5033,'person');
INSERT INTO "entries" VALUES('T5',21,1,'play G1','2026-03-01 12:02:12.000000',5034,'person');
INSERT INTO "entries" VALUES('T5',22,2,'play G0','2026-03-01 12:02:15.000000',5035,'person');
INSERT INTO "entries" VALUES('T5',23,3,'play G5','2026-03-01 12:02:18.000000',5036,'person');
INSERT INTO "entries" VALUES('T5',24,0,'play G3','2026-03-01 12:02:21.000000',5037,'person');
INSERT INTO "entries" VALUES('T5',25,3,'play R8','2026-03-01 12:02:24.000000',5038,'person');
INSERT INTO "entries" VALUES('T5',26,0,'play R10','2026-03-01 12:02:27.000000',5039,'person');
INSERT INTO "entries" VALUES('T5',27,1,'play R7','2026-03-01 12:02:30.000000',5040,'person');
INSERT INTO "entries" VALUES('T5',28,2,'play R4','2026-03-01 12:02:33.000000',5041,'person');
INSERT INTO "entries" VALUES('T5',29,0,'play G6','2026-03-01 12:02:36.000000',5042,'person');
INSERT INTO "entries" VALUES('T5',30,1,'play G9','2026-03-01 12:02:39.000000',5043,'person');
INSERT INTO "entries" VALUES('T5',31,2,'play B10','2026-03-01 12:02:42.000000',5044,'person');
INSERT INTO "entries" VALUES('T5',32,3,'play G4','2026-03-01 12:02:45.000000',5045,'person');
INSERT INTO "entries" VALUES('T5',33,1,'play B9','2026-03-01 12:02:48.000000',5046,'person');
INSERT INTO "entries" VALUES('T5',34,2,'play B8','2026-03-01 12:02:51.000000',5047,'person');
INSERT INTO "entries" VALUES('T5',35,3,'play G2','2026-03-01 12:02:54.000000',5048,'person');
INSERT INTO "entries" VALUES('T5',36,0,'play B2','2026-03-01 12:02:57.000000',5049,'person');
INSERT INTO "entries" VALUES('T5',37,1,'trump B','2026-03-01 12:03:00.000000',5050,'person');
INSERT INTO "entries" VALUES('T5',38,1,'play B1','2026-03-01 12:03:03.000000',5051,'person');
INSERT INTO "entries" VALUES('T5',39,2,'play B11','2026-03-01 12:03:06.000000',5052,'person');
INSERT INTO "entries" VALUES('T5',40,3,'play Y10','2026-03-01 12:03:09.000000',5053,'person');
INSERT INTO "entries" VALUES('T5',41,0,'play G11','2026-03-01 12:03:12.000000',5054,'person');
INSERT INTO "entries" VALUES('T5',42,2,'play Y7','2026-03-01 12:03:15.000000',5055,'person');
INSERT INTO "entries" VALUES('T5',43,3,'play G7','2026-03-01 12:03:18.000000',5056,'person');
INSERT INTO "entries" VALUES('T5',44,0,'play Y2','2026-03-01 12:03:21.000000',5057,'person');
INSERT INTO "entries" VALUES('T5',45,1,'play B4','2026-03-01 12:03:24.000000',5058,'person');
INSERT INTO "entries" VALUES('T5',46,1,'play R12','2026-03-01 12:03:27.000000',5059,'person');
INSERT INTO "entries" VALUES('T5',47,2,'play B0','2026-03-01 12:03:30.000000',5060,'person');
INSERT INTO "entries" VALUES('T5',48,3,'play R5','2026-03-01 12:03:33.000000',5061,'person');
INSERT INTO "entries" VALUES('T5',49,0,'play G12','2026-03-01 12:03:36.000000',5062,'person');
INSERT INTO "entries" VALUES('T5',50,2,'play B6','2026-03-01 12:03:39.000000',5063,'person');
INSERT INTO "entries" VALUES('T5',51,3,'play R2','2026-03-01 12:03:42.000000',5064,'person');
INSERT INTO "entries" VALUES('T5',52,0,'play G10','2026-03-01 12:03:45.000000',5065,'person');
INSERT INTO "entries" VALUES('T5',53,1,'play G8','2026-03-01 12:03:48.000000',5066,'person');
INSERT INTO "entries" VALUES('T5',54,-1,'{"dealer":3,"start":0,"trump":"B","deal":{"hands":[["R3","R6","R9","Y1","Y4","Y11","G0","G3","G5","G6","G11","B4","B7"],["R5","R8","R10","Y0","Y3","Y6","Y7","Y9","G4","B3","B6","B10","B11"],["R0","R1","R2","R4","R11","R12","Y8","Y12","G8","G9","G10","B0","B12"],["R7","Y2","Y5","Y10","G1","G2","G7","G12","B1","B2","B5","B8","B9"]],"aside":[],"reveal":[0,3,1,2]}}','2026-03-01 12:03:51.000000',NULL,'person');
INSERT INTO "entries" VALUES('T5',55,1,'hide B6','2026-03-01 12:03:51.000000',5068,'person');
INSERT INTO "entries" VALUES('T5',56,2,'hide R1','2026-03-01 12:03:54.000000',5069,'person');
INSERT INTO "entries" VALUES('T5',57,0,'hide G0','2026-03-01 12:03:57.000000',5070,'person');
INSERT INTO "entries" VALUES('T5',58,3,'hide Y5','2026-03-01 12:04:00.000000',5071,'person');
INSERT INTO "entries" VALUES('T5',59,0,'play G3','2026-03-01 12:04:03.000000',5072,'person');
INSERT INTO "entries" VALUES('T5',60,1,'play G4','2026-03-01 12:04:06.000000',5073,'person');
INSERT INTO "entries" VALUES('T5',61,2,'play G10','2026-03-01 12:04:09.000000',5074,'person');
INSERT INTO "entries" VALUES('T5',62,3,'play G12','2026-03-01 12:04:12.000000',5075,'person');
INSERT INTO "entries" VALUES('T5',63,3,'play G7','2026-03-01 12:04:15.000000',5076,'person');
INSERT INTO "entries" VALUES('T5',64,0,'play G6','2026-03-01 12:04:18.000000',5077,'person');
INSERT INTO "entries" VALUES('T5',65,1,'play Y9','2026-03-01 12:04:21.000000',5078,'person');
INSERT INTO "entries" VALUES('T5',66,2,'play G8','2026-03-01 12:04:24.000000',5079,'person');
INSERT INTO "entries" VALUES('T5',67,2,'play Y12','2026-03-01 12:04:27.000000',5080,'person');
INSERT INTO "entries" VALUES('T5',68,3,'play Y10','2026-03-01 12:04:30.000000',5081,'person');
INSERT INTO "entries" VALUES('T6',0,-1,'{"dealer":2,"start":3,"trump":null,"deal":{"pack":["RU","B2","B5","AB","B7","SK","B6","A2","R5","SO","RB","BK","BU","AU","SU","A6","RO","S3","BO","B4","AO","BB","SB","S5","S2","S4","R6","A3","B3","R2","S6","S7","A5","A7","R3","RK","R4","R7","A4","AK"]}}','2026-03-01 12:04:33.000000',NULL,'person');
INSERT INTO "entries" VALUES('T6',1,1,'pass','2026-03-01 12:04:33.000000',5083,'person');
INSERT INTO "entries" VALUES('T6',2,0,'pass','2026-03-01 12:04:36.000000',NULL,'standing');
INSERT INTO "entries" VALUES('T7',0,-1,'{"dealer":1,"start":2,"trump":null,"deal":{"pack":["A7","B4","S6","AO","A6","B2","S3","R7","R2","R5","SU","SO","BO","AU","A3","B6","RO","RU","SK","B7","R3","S4","B3","AK","S5","AB","R6","A2","SB","B5","S7","BK","BU","R4","S2","RK","A4","RB","BB","A5"]}}','2026-03-01 12:04:36.000000',NULL,'person');
INSERT INTO "entries" VALUES('T7',1,0,'threeup','2026-03-01 12:04:36.000000',5085,'person');
INSERT INTO "entries" VALUES('T7',2,1,'accept','2026-03-01 12:04:39.000000',5086,'person');
INSERT INTO "entries" VALUES('T7',3,1,'threeup','2026-03-01 12:04:42.000000',5087,'person');
INSERT INTO "entries" VALUES('T7',4,0,'accept','2026-03-01 12:04:45.000000',5088,'person');
INSERT INTO "entries" VALUES('T7',5,0,'threeup','2026-03-01 12:04:48.000000',5089,'person');
INSERT INTO "entries" VALUES('T7',6,1,'accept','2026-03-01 12:04:51.000000',5090,'person');
INSERT INTO "entries" VALUES('T7',7,1,'threeup','2026-03-01 12:04:54.000000',5091,'person');
INSERT INTO "entries" VALUES('T7',8,0,'accept','2026-03-01 12:04:57.000000',5092,'person');
INSERT INTO "entries" VALUES('T7',9,0,'threeup','2026-03-01 12:05:00.000000',5093,'person');
INSERT INTO "entries" VALUES('T7',10,1,'accept','2026-03-01 12:05:03.000000',5094,'person');
INSERT INTO "entries" VALUES('T7',11,1,'threeup','2026-03-01 12:05:06.000000',5095,'person');
INSERT INTO "entries" VALUES('T7',12,0,'accept','2026-03-01 12:05:09.000000',5096,'person');
INSERT INTO "entries" VALUES('T8',0,-1,'{"dealer":null,"start":2,"trump":null,"deal":{"hands":[["R5","Y3","Y6","G3","G5","G10","B5","B10","B13","P2","P3","P12","S11","S13","S14"],["Y0","Y14","G2","G6","G13","G14","B11","P0","P4","P5","P7","P8","S0","S1","S8"],["R1","R8","R10","R13","R14","Y4","Y10","Y11","Y13","B9","B14","P6","P14","S6","S10"],["R6","R9","R11","R12","Y9","Y12","G1","G4","G8","G11","B2","B3","B4","P1","S12"],["R0","R2","R4","Y2","Y8","G7","G12","B0","B1","B8","P9","P11","S5","S7","S9"],["R3","R7","Y1","Y5","Y7","G0","G9","B6","B7","B12","P10","P13","S2","S3","S4"]],"aside":[]}}','2026-03-01 12:05:12.000000',NULL,'person');
INSERT INTO "entries" VALUES('T8',1,2,'choose B14','2026-03-01 12:05:12.000000',5098,'person');
INSERT INTO "entries" VALUES('T8',2,0,'choose P2','2026-03-01 12:07:12.000000',NULL,'clock');
INSERT INTO "entries" VALUES('T8',3,1,'choose Y0','2026-03-01 12:07:12.000000',NULL,'clock');
INSERT INTO "entries" VALUES('T8',4,3,'choose G1','2026-03-01 12:07:12.000000',NULL,'clock');
INSERT INTO "entries" VALUES('T8',5,4,'choose R0','2026-03-01 12:07:12.000000',NULL,'clock');
INSERT INTO "entries" VALUES('T8',6,5,'choose G0','2026-03-01 12:07:12.000000',NULL,'clock');
INSERT INTO "entries" VALUES('T8',7,2,'play P14','2026-03-01 12:07:12.000000',5099,'person');
INSERT INTO "entries" VALUES('T8',8,3,'play P1','2026-03-01 12:09:12.000000',NULL,'clock_away');
INSERT INTO "entries" VALUES('T9',0,-1,'{"dealer":null,"start":2,"trump":null,"deal":{"hands":[["R0","R4","R7","Y7","Y8","G1","G8","B1","B2","B3","B4","B5","B6","B7","P6"],["R1","R2","R3","R5","R8","Y0","Y3","Y6","G0","G2","G3","G4","G5","P0","P2"],["R6","Y1","Y2","Y4","Y5","G6","G7","B0","B8","P1","P3","P4","P5","P7","P8"]],"aside":[]}}','2026-03-01 12:09:12.000000',NULL,'person');
INSERT INTO "entries" VALUES('T9',1,1,'choose Y0','2026-03-01 12:09:12.000000',5101,'person');
INSERT INTO "entries" VALUES('T9',2,0,'choose B7','2026-03-01 12:09:15.000000',5102,'person');
INSERT INTO "entries" VALUES('T9',3,2,'choose G6','2026-03-01 12:09:18.000000',5103,'person');
INSERT INTO "entries" VALUES('T9',4,2,'play P1','2026-03-01 12:09:21.000000',5104,'person');
INSERT INTO "entries" VALUES('T9',5,0,'play B2','2026-03-01 12:09:24.000000',5105,'person');
INSERT INTO "entries" VALUES('T9',6,1,'play R5','2026-03-01 12:09:27.000000',5106,'person');
INSERT INTO "entries" VALUES('T9',7,1,'play G2','2026-03-01 12:09:30.000000',5107,'person');
INSERT INTO "entries" VALUES('T9',8,2,'play P7','2026-03-01 12:09:33.000000',5108,'person');
INSERT INTO "entries" VALUES('T9',9,0,'play B6','2026-03-01 12:09:36.000000',5109,'person');
INSERT INTO "entries" VALUES('T9',10,2,'play Y2','2026-03-01 12:09:39.000000',5110,'person');
INSERT INTO "entries" VALUES('T9',11,0,'play Y8','2026-03-01 12:09:42.000000',5111,'person');
INSERT INTO "entries" VALUES('T9',12,1,'play P2','2026-03-01 12:09:45.000000',5112,'person');
CREATE TABLE matches (
	table_id VARCHAR(16) NOT NULL, 
	guild_id BIGINT NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	rounds INTEGER NOT NULL, 
	ended DATETIME NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (table_id), 
	CONSTRAINT fk_matches_tables FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "matches" VALUES('T14',900,'aufundab',2,'2026-03-01 12:24:30.000000');
INSERT INTO "matches" VALUES('T15',900,'sticheln',1,'2026-03-01 12:26:45.000000');
CREATE TABLE meta (
	"key" VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_meta PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('commands','0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO "meta" VALUES('alive','2026-03-01T12:26:57+00:00');
CREATE TABLE places (
	table_id VARCHAR(16) NOT NULL, 
	place INTEGER NOT NULL, 
	user_id BIGINT, 
	name TEXT, 
	reachable BOOLEAN, misses INTEGER DEFAULT '0' NOT NULL, away BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_places PRIMARY KEY (table_id, place), 
	CONSTRAINT ck_places_person CHECK ((user_id IS NULL) = (name IS NULL)), 
	CONSTRAINT fk_places_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "places" VALUES('T1',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T1',1,12,'Ben',NULL,0,0);
INSERT INTO "places" VALUES('T1',2,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T1',3,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T1',4,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T10',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T10',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T10',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T10',3,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T11',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T11',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T11',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T12',0,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T12',1,15,'Eve',0,0,0);
INSERT INTO "places" VALUES('T12',2,16,'Fay',NULL,0,0);
INSERT INTO "places" VALUES('T13',0,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T13',1,15,'Eve',0,0,0);
INSERT INTO "places" VALUES('T13',2,16,'Fay',NULL,0,0);
INSERT INTO "places" VALUES('T14',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T14',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T14',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T15',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T15',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T15',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T16',0,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T16',1,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T16',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T17',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T17',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T17',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T17',3,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T18',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T18',1,12,'Ben',NULL,0,0);
INSERT INTO "places" VALUES('T18',2,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T18',3,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T2',0,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T2',1,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T2',2,15,'Eve',NULL,0,0);
INSERT INTO "places" VALUES('T2',3,16,'Fay',NULL,0,0);
INSERT INTO "places" VALUES('T3',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T3',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T3',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T3',3,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T4',0,12,'Ben',NULL,0,0);
INSERT INTO "places" VALUES('T4',1,13,'Cat',0,0,0);
INSERT INTO "places" VALUES('T4',2,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T5',0,12,'Ben',NULL,0,0);
INSERT INTO "places" VALUES('T5',1,13,'Cat',0,0,0);
INSERT INTO "places" VALUES('T5',2,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T5',3,15,'Eve',NULL,0,0);
INSERT INTO "places" VALUES('T6',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T6',1,12,'Ben',0,0,0);
INSERT INTO "places" VALUES('T6',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T6',3,14,'Dan',NULL,0,0);
INSERT INTO "places" VALUES('T7',0,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T7',1,14,'Dan',0,0,0);
INSERT INTO "places" VALUES('T7',2,15,'Eve',NULL,0,0);
INSERT INTO "places" VALUES('T7',3,16,'Fay',NULL,0,0);
INSERT INTO "places" VALUES('T8',0,11,'Ann',NULL,1,0);
INSERT INTO "places" VALUES('T8',1,12,'Ben',0,1,0);
INSERT INTO "places" VALUES('T8',2,13,'Cat',NULL,0,0);
INSERT INTO "places" VALUES('T8',3,14,'Dan',NULL,2,1);
INSERT INTO "places" VALUES('T8',4,15,'Eve',NULL,1,0);
INSERT INTO "places" VALUES('T8',5,16,'Fay',NULL,1,0);
INSERT INTO "places" VALUES('T9',0,11,'Ann',NULL,0,0);
INSERT INTO "places" VALUES('T9',1,NULL,NULL,NULL,0,0);
INSERT INTO "places" VALUES('T9',2,13,'Cat',NULL,0,0);
CREATE TABLE results (
	table_id VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	place INTEGER NOT NULL, 
	points INTEGER NOT NULL, 
	CONSTRAINT pk_results PRIMARY KEY (table_id, seat), 
	CONSTRAINT fk_results_matches FOREIGN KEY(table_id) REFERENCES matches (table_id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "results" VALUES('T14',0,11,'Ann',3,0);
INSERT INTO "results" VALUES('T14',1,12,'Ben',1,3);
INSERT INTO "results" VALUES('T14',2,13,'Cat',2,2);
INSERT INTO "results" VALUES('T15',0,11,'Ann',1,4);
INSERT INTO "results" VALUES('T15',1,12,'Ben',2,0);
INSERT INTO "results" VALUES('T15',2,13,'Cat',3,-6);
CREATE TABLE shuffles (
	table_id VARCHAR(16) NOT NULL, 
	round INTEGER NOT NULL, 
	seed VARCHAR(64) NOT NULL, 
	post VARCHAR(20), 
	words JSON NOT NULL, 
	CONSTRAINT pk_shuffles PRIMARY KEY (table_id, round), 
	CONSTRAINT fk_shuffles_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "shuffles" VALUES('T1',1,'38b4e652e44da7f2370d9e260e27136550a4a3a6d07f5c0c332f8b1224083fd2',NULL,'[]');
INSERT INTO "shuffles" VALUES('T10',1,'29825e79455971b21ae105aab2d6a3100b08880f0f422dbb36fb94b3cb6d424f','5113','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T10',2,'813caaa5b348f4930b893bfe338f65aea5a969d270831572af40db4852eb74b7',NULL,'[]');
INSERT INTO "shuffles" VALUES('T11',1,'4f3ac362881215e31ed32cab3d56d55807afc6053558cef092a9317629b2ff5a','5124','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T11',2,'e637052b3839659c78fdf91d0aaa627e00a3170ffb76dc37c1eaaac499239549',NULL,'[]');
INSERT INTO "shuffles" VALUES('T12',1,'cf701c21e66105bd83af633f509fdc659c471564d277b4eab08215df3c101b7f',NULL,'["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T12',2,'e7f9a0141afb962a02f2fd727628d2661118a88c1f772047597125e27e970d23',NULL,'[]');
INSERT INTO "shuffles" VALUES('T13',1,'d952bcd1b0aa366e09162edd5f30db8c4d9a46473a6ad6b44ddf506a4a1b89fc','5210','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T13',2,'406dd85b24f0c6ae05765ae2c99964615ddf2df5ff87123bbdc0a2262a7c3e15',NULL,'["", "", ""]');
INSERT INTO "shuffles" VALUES('T13',3,'f09a1c2dbd7dbb267686613b898c94a8eae9bb3b9e9016037f84267c2e8cc2d4',NULL,'[]');
INSERT INTO "shuffles" VALUES('T14',1,'5fccd096cf05ae2ec55c4343bc9c2c4859470c014e0c4b25ef13406b01f4da88','5256','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T14',2,'ed66875ef7aa1c9c11bdfb90f5889051c039fef3263620202d31c4b0b2a8f4db','5335','["", "", ""]');
INSERT INTO "shuffles" VALUES('T14',3,'163ff7837ae041f3f48e1a9ec2e1aba7db721bad818862bd657ad20d5d9ae674',NULL,'[]');
INSERT INTO "shuffles" VALUES('T15',1,'8fcb47e63483f8de9114acc7b6d0aef39318e0df7f2b3aaea36941ccc86e2c8f','5413','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T15',2,'a3f1726423e4e765047a2366ad0ce5642c68811a5c14457b0bcd60a286688366',NULL,'[]');
INSERT INTO "shuffles" VALUES('T16',1,'2879ef0f7dc9cb307db13d110d2d13fc0a81713531eccc70a5b38c29f942241c',NULL,'[]');
INSERT INTO "shuffles" VALUES('T17',1,'95c10d570943c9995d98750da08c351ac8490f0016bb18917f4cb926b3d75f89','5459','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T17',2,'9c91f919454eeef22f8a155da0e21d9dfa3987069d330012373fd4df1c633c35',NULL,'[]');
INSERT INTO "shuffles" VALUES('T18',1,'1ca0339d4a9150609d67072687aa68a2def693407c8d99f47185ee580ff82e9a',NULL,'[]');
INSERT INTO "shuffles" VALUES('T2',1,'2b902f8911e81818f8c99d5d5d9831957504d90e945de2e8f54ee781cc75f636',NULL,'[]');
INSERT INTO "shuffles" VALUES('T3',1,'d85099095aa300165a67036f9b540d6b8f0be21124179c3dd9f73817ce6e118d','5000','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T3',2,'264aad6cb6dd210faf94acd3cf92c190237cb11f5d108cf25930263938b370a1',NULL,'[]');
INSERT INTO "shuffles" VALUES('T4',1,'b5769fa0f1483f95a90d9df2f130d60fcf04bd93f50ae69514da8c659ce2b10c','5010','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T4',2,'ccdaebf990d19838b0d7ec0b3e97818ecb96c4dbadbe172296d5234a42b24c6b',NULL,'[]');
INSERT INTO "shuffles" VALUES('T5',1,'a4e6ed24ec636a8ac0a1271e5866279238aaf84e58056d8f2fa8edd094ba97ae','5013','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T5',2,'8b15442ee2db611a91bfe39469733a9247d58fa3c55018300372555fd235f118','5067','["", "", "", ""]');
INSERT INTO "shuffles" VALUES('T5',3,'29fb388c22e44cb637f01210c3707a90b405420fb169779edfb5b9342405157f',NULL,'[]');
INSERT INTO "shuffles" VALUES('T6',1,'54b12eae62d11e887eb0766d1877f8c6eff26b5010af3177d161e79587a766ec','5082','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T6',2,'30e4037458a9905cad87bd4c77e2983f27745ccb9a31052e944cf1b220eaa2c7',NULL,'[]');
INSERT INTO "shuffles" VALUES('T7',1,'fb1b7d3e3f73f414af6e0d935520dd4c2147738606f2bf7ec70209e0cd05ee57','5084','["", "kuckuck", "", ""]');
INSERT INTO "shuffles" VALUES('T7',2,'20edbcba3acce672084ab649fcbce49b38bdecface4abd12108f391ebc070e83',NULL,'[]');
INSERT INTO "shuffles" VALUES('T8',1,'e8180a6bd4f43a2afffcd3c12ef890575575e826e2cbeaee82af2c7d696cf46b','5097','["", "kuckuck", "", "", "", ""]');
INSERT INTO "shuffles" VALUES('T8',2,'977c090af4e146f6d03110ab86efde139eeabac37a0dde8ef2d3b1925e1302ca',NULL,'[]');
INSERT INTO "shuffles" VALUES('T9',1,'57501fe0ca9a7fd1ccc15150424212578fe0feb17b4aa559cd9f28984b14267f','5100','["", "kuckuck", ""]');
INSERT INTO "shuffles" VALUES('T9',2,'1b037494dd1c01cc6adfc974d1729a11fe2008d737e8f517d69ed6f181bd1a45',NULL,'[]');
CREATE TABLE surfaces (
	table_id VARCHAR(16) NOT NULL, 
	viewer_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	message_id BIGINT NOT NULL, 
	posted DATETIME NOT NULL, 
	mark INTEGER NOT NULL, drawn INTEGER, 
	CONSTRAINT pk_surfaces PRIMARY KEY (table_id, viewer_id), 
	CONSTRAINT fk_surfaces_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "surfaces" VALUES('T1',0,901,5463,'2026-03-01 12:26:57.000000',0,8);
INSERT INTO "surfaces" VALUES('T1',11,7011,5464,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T10',-1,910,5514,'2026-03-01 12:26:57.000000',22,NULL);
INSERT INTO "surfaces" VALUES('T10',0,910,5113,'2026-03-01 12:26:57.000000',1,19);
INSERT INTO "surfaces" VALUES('T10',11,7011,5511,'2026-03-01 12:26:57.000000',22,NULL);
INSERT INTO "surfaces" VALUES('T10',13,7013,5512,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T10',14,7014,5513,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T11',0,911,5124,'2026-03-01 12:26:57.000000',1,94);
INSERT INTO "surfaces" VALUES('T11',11,7011,5516,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T11',13,7013,5517,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T12',0,912,5518,'2026-03-01 12:26:57.000000',0,6);
INSERT INTO "surfaces" VALUES('T12',14,7014,5519,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T12',15,7015,5520,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T12',16,7016,5521,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T13',0,913,5210,'2026-03-01 12:26:57.000000',1,55);
INSERT INTO "surfaces" VALUES('T13',14,7014,5523,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T13',15,7015,5524,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T13',16,7016,5525,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T14',0,914,5335,'2026-03-01 12:26:57.000000',-1,166);
INSERT INTO "surfaces" VALUES('T15',0,915,5413,'2026-03-01 12:26:57.000000',-1,52);
INSERT INTO "surfaces" VALUES('T16',0,914,5528,'2026-03-01 12:26:57.000000',0,1);
INSERT INTO "surfaces" VALUES('T16',13,7013,5529,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T17',-5535,916,5533,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T17',-5534,916,5532,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T17',-1,916,5531,'2026-03-01 12:26:57.000000',8,NULL);
INSERT INTO "surfaces" VALUES('T17',0,916,5459,'2026-03-01 12:26:57.000000',-1,12);
INSERT INTO "surfaces" VALUES('T18',0,917,5534,'2026-03-01 12:26:57.000000',-1,3);
INSERT INTO "surfaces" VALUES('T2',0,902,5465,'2026-03-01 12:26:57.000000',0,5);
INSERT INTO "surfaces" VALUES('T2',13,7013,5466,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T2',14,7014,5467,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T2',15,7015,5468,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T2',16,7016,5469,'2026-03-01 12:26:57.000000',-1,NULL);
INSERT INTO "surfaces" VALUES('T3',-5478,903,5476,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T3',-5477,903,5475,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T3',-1,903,5474,'2026-03-01 12:26:57.000000',20,NULL);
INSERT INTO "surfaces" VALUES('T3',0,903,5000,'2026-03-01 12:26:57.000000',1,16);
INSERT INTO "surfaces" VALUES('T3',11,7011,5471,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T3',13,7013,5472,'2026-03-01 12:26:57.000000',20,NULL);
INSERT INTO "surfaces" VALUES('T3',14,7014,5473,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T4',-1,904,5480,'2026-03-01 12:26:57.000000',7,NULL);
INSERT INTO "surfaces" VALUES('T4',0,904,5010,'2026-03-01 12:26:57.000000',1,10);
INSERT INTO "surfaces" VALUES('T4',13,7013,5478,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T4',14,7014,5479,'2026-03-01 12:26:57.000000',2,NULL);
INSERT INTO "surfaces" VALUES('T5',-1,905,5485,'2026-03-01 12:26:57.000000',138,NULL);
INSERT INTO "surfaces" VALUES('T5',0,905,5067,'2026-03-01 12:26:57.000000',2,80);
INSERT INTO "surfaces" VALUES('T5',13,7013,5482,'2026-03-01 12:26:57.000000',108,NULL);
INSERT INTO "surfaces" VALUES('T5',14,7014,5483,'2026-03-01 12:26:57.000000',108,NULL);
INSERT INTO "surfaces" VALUES('T5',15,7015,5484,'2026-03-01 12:26:57.000000',108,NULL);
INSERT INTO "surfaces" VALUES('T6',-1,906,5490,'2026-03-01 12:26:57.000000',6,NULL);
INSERT INTO "surfaces" VALUES('T6',0,906,5082,'2026-03-01 12:26:57.000000',1,11);
INSERT INTO "surfaces" VALUES('T6',11,7011,5487,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T6',13,7013,5488,'2026-03-01 12:26:57.000000',6,NULL);
INSERT INTO "surfaces" VALUES('T6',14,7014,5489,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T7',-1,907,5496,'2026-03-01 12:26:57.000000',26,NULL);
INSERT INTO "surfaces" VALUES('T7',0,907,5084,'2026-03-01 12:26:57.000000',1,20);
INSERT INTO "surfaces" VALUES('T7',13,7013,5492,'2026-03-01 12:26:57.000000',26,NULL);
INSERT INTO "surfaces" VALUES('T7',14,7014,5493,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T7',15,7015,5494,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T7',16,7016,5495,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T8',-5507,908,5505,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T8',-5506,908,5504,'2026-03-01 12:26:57.000000',3,NULL);
INSERT INTO "surfaces" VALUES('T8',-1,908,5503,'2026-03-01 12:26:57.000000',18,NULL);
INSERT INTO "surfaces" VALUES('T8',0,908,5097,'2026-03-01 12:26:57.000000',1,14);
INSERT INTO "surfaces" VALUES('T8',11,7011,5498,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T8',13,7013,5499,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T8',14,7014,5500,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T8',15,7015,5501,'2026-03-01 12:26:57.000000',18,NULL);
INSERT INTO "surfaces" VALUES('T8',16,7016,5502,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T9',-1,909,5509,'2026-03-01 12:26:57.000000',26,NULL);
INSERT INTO "surfaces" VALUES('T9',0,909,5100,'2026-03-01 12:26:57.000000',1,20);
INSERT INTO "surfaces" VALUES('T9',11,7011,5507,'2026-03-01 12:26:57.000000',0,NULL);
INSERT INTO "surfaces" VALUES('T9',13,7013,5508,'2026-03-01 12:26:57.000000',0,NULL);
CREATE TABLE "tables" (
	id VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	rules_version INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	stop VARCHAR(16), 
	host_id BIGINT NOT NULL, 
	private BOOLEAN NOT NULL, 
	held BOOLEAN NOT NULL, 
	given JSON NOT NULL, 
	options JSON NOT NULL, 
	invited JSON NOT NULL, 
	kicked JSON NOT NULL, 
	starters JSON NOT NULL, 
	ready JSON NOT NULL, 
	end_votes JSON NOT NULL, 
	seen JSON NOT NULL, 
	rematch_of VARCHAR(16), 
	created DATETIME NOT NULL, 
	started DATETIME, 
	ended DATETIME, 
	closed BOOLEAN NOT NULL, 
	words JSON NOT NULL, 
	standing JSON NOT NULL, pace VARCHAR(16) DEFAULT 'none' NOT NULL, warned INTEGER, credited INTEGER DEFAULT '0' NOT NULL, stalled_since DATETIME, stalled_missing JSON, 
	CONSTRAINT pk_tables PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('T1',8,900,901,'sticheln',1,'lobby',NULL,11,1,0,'{}','{}','[11, 12, 13, 14]','[13]','[]','[]','[]','[]',NULL,'2026-03-01 12:00:00.000000',NULL,NULL,0,'[[12, "x1"]]','[]','daily',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T2',5,900,902,'kaiserspiel',1,'lobby',NULL,13,0,1,'{}','{}','[]','[]','[]','[]','[]','[]',NULL,'2026-03-01 12:00:00.000000',NULL,NULL,0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T3',17,900,903,'aufundab',1,'running',NULL,11,0,0,'{"hands": 2}','{"length": "hands", "hands": 2}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"], [14, "Dan"]]','[]','[]','[]',NULL,'2026-03-01 12:00:00.000000','2026-03-01 12:00:00.000000',NULL,0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T4',10,900,904,'auffalscherfaehrte',1,'running',NULL,12,0,0,'{"jokers": true, "rounds": 2}','{"jokers": true, "rounds": 2}','[]','[]','[[12, "Ben"], [13, "Cat"], [14, "Dan"]]','[]','[]','[]',NULL,'2026-03-01 12:00:27.000000','2026-03-01 12:00:27.000000',NULL,0,'[]','[]','live60',1,0,NULL,NULL);
INSERT INTO "tables" VALUES('T5',80,900,905,'auffalscherfaehrte',1,'running',NULL,12,0,0,'{"rounds": 3}','{"jokers": false, "rounds": 3}','[]','[]','[[12, "Ben"], [13, "Cat"], [14, "Dan"], [15, "Eve"]]','[]','[]','[]',NULL,'2026-03-01 12:01:12.000000','2026-03-01 12:01:12.000000',NULL,0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T6',11,900,906,'kaiserspiel',1,'running',NULL,11,0,0,'{"target": 9}','{"target": 9}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"], [14, "Dan"]]','[]','[]','[]',NULL,'2026-03-01 12:04:33.000000','2026-03-01 12:04:33.000000',NULL,0,'[]','[11, 12]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T7',20,900,907,'kaiserspiel',1,'running',NULL,13,0,0,'{"target": 9}','{"target": 9}','[]','[]','[[13, "Cat"], [14, "Dan"], [15, "Eve"], [16, "Fay"]]','[]','[]','[]',NULL,'2026-03-01 12:04:36.000000','2026-03-01 12:04:36.000000',NULL,0,'[]','[]','relaxed',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T8',14,900,908,'sticheln',1,'running',NULL,11,0,0,'{"rounds": 1}','{"rounds": 1}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"], [14, "Dan"], [15, "Eve"], [16, "Fay"]]','[]','[]','[]',NULL,'2026-03-01 12:05:12.000000','2026-03-01 12:05:12.000000',NULL,0,'[]','[]','live120',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T9',20,900,909,'sticheln',1,'running',NULL,11,0,0,'{"rounds": 2}','{"rounds": 2}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"]]','[]','[]','[[12, 1]]',NULL,'2026-03-01 12:09:12.000000','2026-03-01 12:09:12.000000',NULL,0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T10',19,900,910,'sticheln',1,'running',NULL,11,0,0,'{"rounds": 1}','{"rounds": 1}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"], [14, "Dan"]]','[]','[]','[]',NULL,'2026-03-01 12:09:48.000000','2026-03-01 12:09:48.000000',NULL,0,'[]','[]','daily',NULL,0,'2026-03-01 12:10:18.000000','["send_messages"]');
INSERT INTO "tables" VALUES('T11',94,900,911,'aufundab',1,'running',NULL,11,0,0,'{}','{"length": "hands", "hands": 3}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"]]','[12]','[]','[]',NULL,'2026-03-01 12:10:18.000000','2026-03-01 12:10:18.000000',NULL,0,'[[11, "Abend7"]]','[]','live180',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T12',6,900,912,'auffalscherfaehrte',1,'running',NULL,14,0,0,'{}','{"jokers": false, "rounds": 6}','[]','[]','[[14, "Dan"], [15, "Eve"], [16, "Fay"]]','[]','[]','[]',NULL,'2026-03-01 12:14:33.000000','2026-03-01 12:14:33.000000',NULL,1,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T13',55,900,913,'sticheln',1,'running',NULL,14,0,0,'{}','{"rounds": 3}','[]','[]','[[14, "Dan"], [15, "Eve"], [16, "Fay"]]','[]','[]','[]',NULL,'2026-03-01 12:14:33.000000','2026-03-01 12:14:33.000000',NULL,1,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T14',166,900,914,'aufundab',1,'finished',NULL,11,0,0,'{"target": 3}','{"length": "target", "target": 3}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"]]','[]','[]','[]',NULL,'2026-03-01 12:16:48.000000','2026-03-01 12:16:48.000000','2026-03-01 12:24:30.000000',0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T15',52,900,915,'sticheln',1,'finished',NULL,11,0,0,'{"rounds": 1}','{"rounds": 1}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"]]','[]','[]','[]',NULL,'2026-03-01 12:24:33.000000','2026-03-01 12:24:33.000000','2026-03-01 12:26:45.000000',0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T16',1,900,914,'aufundab',1,'lobby',NULL,13,0,0,'{"target": 3}','{}','[]','[]','[]','[]','[]','[]','T14','2026-03-01 12:26:48.000000',NULL,NULL,0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T17',12,900,916,'kaiserspiel',1,'stopped','host',11,0,0,'{}','{"target": 41}','[]','[]','[[11, "Ann"], [12, "Ben"], [13, "Cat"], [14, "Dan"]]','[]','[]','[]',NULL,'2026-03-01 12:26:48.000000','2026-03-01 12:26:48.000000','2026-03-01 12:26:57.000000',0,'[]','[]','none',NULL,0,NULL,NULL);
INSERT INTO "tables" VALUES('T18',3,900,917,'aufundab',1,'expired','host',11,0,0,'{}','{}','[]','[]','[]','[]','[]','[]',NULL,'2026-03-01 12:26:57.000000',NULL,'2026-03-01 12:26:57.000000',0,'[]','[]','none',NULL,0,NULL,NULL);
CREATE INDEX ix_deadlines_due ON deadlines (due);
CREATE UNIQUE INDEX uq_entries_interaction ON entries (interaction_id) WHERE interaction_id IS NOT NULL;
CREATE INDEX ix_matches_guild ON matches (guild_id, game, ended);
CREATE INDEX ix_places_user ON places (user_id);
CREATE INDEX ix_results_user ON results (user_id);
CREATE INDEX ix_tables_channel ON tables (channel_id, created);
CREATE UNIQUE INDEX uq_tables_open_channel ON tables (channel_id) WHERE status IN ('lobby', 'running');
CREATE INDEX ix_tables_rematch_of ON tables (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX ix_tables_open_guild ON tables (guild_id, host_id) WHERE status IN ('lobby', 'running');
COMMIT;
