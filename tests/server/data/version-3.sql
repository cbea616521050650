-- tokens of the guests Anna and Ben: g1.s8b5sc72fv88nadapq55.NprKLEI5Z_8OARkC8S5PaM3W g1.5tmcrzb8896yzf3xe1s7.fHMl30JlP0tQBKdkFJ4QJURF
-- running: w5caxgmvfr8y4ee9jwm7, over: annbr3krc8spye41hbgp
PRAGMA user_version=3;
BEGIN TRANSACTION;
CREATE TABLE entries (
            game TEXT NOT NULL,
            seq INTEGER NOT NULL,
            at DOUBLE PRECISION NOT NULL,
            entry TEXT NOT NULL,
            cid TEXT,
            proof TEXT,
            PRIMARY KEY (game, seq)
        ) WITHOUT ROWID;
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',1,1.79482678024806308744e+09,'=1122445W','A:2-63aa4935','1 2893f3ddbcbd2ef16d2efcd83e461f32456c3cf95b6168b229438353254e96b9 0xmxplzyN8ZtLp8gchygUw');
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',2,1.79482678025729846952e+09,'A k1','A:5-45af813e',NULL);
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',3,1.7948267802606470585e+09,'A r',NULL,NULL);
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',4,1.7948267802606470585e+09,'=223334','A:7-db8b5bd8','2 e114d6dc02137dbd701b98d63909f2286e28f92ff6c31d56afb88c22da86ef78 qhZmA7aXXlXR732IiP9eMQ');
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',5,1.79482678026245307924e+09,'A k2','A:9-b9c658e9',NULL);
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',6,1.79482678026493644709e+09,'A r',NULL,NULL);
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',7,1.79482678026493644709e+09,'=112W','A:11-894dd6e9','3 038bb4f1c139d4c10780cd72c8b529c0619ce21b82e6bb3ff5aad19a18884584 jUHYAdFWqx-Ja0q7R2dCOg');
INSERT INTO "entries" VALUES('x0kydvjzq3p0ce369kea',8,1.79482678026642155644e+09,'A kW','A:13-6f099eb8',NULL);
INSERT INTO "entries" VALUES('z34gmr0fzs5e4jscn93f',1,1.79482678027172708515e+09,'=123344WW','A:2-9c827784','1 6a194beb4ca8cef756cd05e4c5e3231a715bb0ce41bd5124fe9444617a1413c0 DN09e2mAv9rYzydNAiJikg');
INSERT INTO "entries" VALUES('z34gmr0fzs5e4jscn93f',2,1.79482678027289938929e+09,'A resign','A:r',NULL);
INSERT INTO "entries" VALUES('z34gmr0fzs5e4jscn93f',3,1.79482678027774190899e+09,'A kW',NULL,NULL);
INSERT INTO "entries" VALUES('z34gmr0fzs5e4jscn93f',4,1.79482678028159809108e+09,'C resign','C:r',NULL);
CREATE TABLE games (
            id TEXT PRIMARY KEY,
            tbl TEXT NOT NULL,
            edition TEXT NOT NULL,
            first INTEGER NOT NULL,
            started DOUBLE PRECISION NOT NULL,
            secret BLOB NOT NULL,
            tip TEXT NOT NULL,
            timer INTEGER,
            away INTEGER,
            pace_ms INTEGER NOT NULL,
            finished DOUBLE PRECISION,
            result TEXT,
            wake DOUBLE PRECISION,
            record TEXT
        );
INSERT INTO "games" VALUES('x0kydvjzq3p0ce369kea','w5caxgmvfr8y4ee9jwm7','classic',0,1.79482678020319247249e+09,X'A26EB9F1FEF8BCC68D38BAA839AE79C91A76D8BBD90EDC8D54817EFB9550E83D','a5af5f810c8bbe06371fc66e4fad5164f45607eb9754d5c1244bf5d78c447c36',NULL,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "games" VALUES('z34gmr0fzs5e4jscn93f','annbr3krc8spye41hbgp','classic',0,1.79482678021719264981e+09,X'D452C5EBB41C5E234831F0C5B202FFE42D7740C46AFFE9371CB8B9F734E75477','ef11eabdb913441183f8fb2858bea75edc3b1b6bfeabc952fb7c1b1eb3b71345',NULL,NULL,0,1.79482678028159809108e+09,'{"winners":["B"],"scores":[0,0,0],"ranks":[2,1,2],"reason":"resignation"}',NULL,NULL);
CREATE TABLE guests (id TEXT PRIMARY KEY, name TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
INSERT INTO "guests" VALUES('s8b5sc72fv88nadapq55','Anna',1.79482678018879175186e+09);
INSERT INTO "guests" VALUES('5tmcrzb8896yzf3xe1s7','Ben',1.79482678019286155703e+09);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('secret','6c542cc93055172e1e72197b34fc37a554d6b4b19de2b0ff3ad81d8dab16b718');
INSERT INTO "meta" VALUES('place','630r772kjqc2svsrtp11');
CREATE TABLE players (
            game TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            started DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (game, seat)
        ) WITHOUT ROWID;
INSERT INTO "players" VALUES('x0kydvjzq3p0ce369kea',0,'s8b5sc72fv88nadapq55','Anna',NULL,1.79482678020319247249e+09);
INSERT INTO "players" VALUES('x0kydvjzq3p0ce369kea',1,NULL,'cautious','cautious',1.79482678020319247249e+09);
INSERT INTO "players" VALUES('x0kydvjzq3p0ce369kea',2,'5tmcrzb8896yzf3xe1s7','Ben',NULL,1.79482678020319247249e+09);
INSERT INTO "players" VALUES('z34gmr0fzs5e4jscn93f',0,'s8b5sc72fv88nadapq55','Anna',NULL,1.79482678021719264981e+09);
INSERT INTO "players" VALUES('z34gmr0fzs5e4jscn93f',1,NULL,'cautious','cautious',1.79482678021719264981e+09);
INSERT INTO "players" VALUES('z34gmr0fzs5e4jscn93f',2,'5tmcrzb8896yzf3xe1s7','Ben',NULL,1.79482678021719264981e+09);
CREATE TABLE presence (
            tbl TEXT NOT NULL,
            process TEXT NOT NULL,
            seats TEXT NOT NULL,
            PRIMARY KEY (tbl, process)
        ) WITHOUT ROWID;
CREATE TABLE processes (id TEXT PRIMARY KEY, heard DOUBLE PRECISION NOT NULL);
CREATE TABLE removed (
            tbl TEXT NOT NULL,
            guest TEXT NOT NULL,
            PRIMARY KEY (tbl, guest)
        ) WITHOUT ROWID;
CREATE TABLE seats (
            tbl TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            serial INTEGER NOT NULL,
            PRIMARY KEY (tbl, seat)
        ) WITHOUT ROWID;
INSERT INTO "seats" VALUES('annbr3krc8spye41hbgp',0,'s8b5sc72fv88nadapq55','Anna',NULL,1);
INSERT INTO "seats" VALUES('annbr3krc8spye41hbgp',1,NULL,'cautious','cautious',1);
INSERT INTO "seats" VALUES('annbr3krc8spye41hbgp',2,'5tmcrzb8896yzf3xe1s7','Ben',NULL,1);
INSERT INTO "seats" VALUES('w5caxgmvfr8y4ee9jwm7',0,'s8b5sc72fv88nadapq55','Anna',NULL,1);
INSERT INTO "seats" VALUES('w5caxgmvfr8y4ee9jwm7',1,NULL,'cautious','cautious',1);
INSERT INTO "seats" VALUES('w5caxgmvfr8y4ee9jwm7',2,'5tmcrzb8896yzf3xe1s7','Ben',NULL,1);
CREATE TABLE tables (
            id TEXT PRIMARY KEY,
            code TEXT NOT NULL UNIQUE,
            phase TEXT NOT NULL,
            public INTEGER NOT NULL,
            host TEXT NOT NULL,
            settings TEXT NOT NULL,
            game TEXT,
            games INTEGER NOT NULL,
            rev BIGINT NOT NULL,
            created DOUBLE PRECISION NOT NULL,
            used DOUBLE PRECISION NOT NULL
        );
INSERT INTO "tables" VALUES('w5caxgmvfr8y4ee9jwm7','AGQ5ZC','playing',0,'s8b5sc72fv88nadapq55','{"edition":"classic","public":false,"hints":true,"first":"A","timer":null,"away":null,"pace_ms":0}','x0kydvjzq3p0ce369kea',1,3,1.79482678019896507259e+09,1.79482678020671105384e+09);
INSERT INTO "tables" VALUES('annbr3krc8spye41hbgp','FTAHX9','over',0,'s8b5sc72fv88nadapq55','{"edition":"classic","public":false,"hints":true,"first":"A","timer":null,"away":null,"pace_ms":0}','z34gmr0fzs5e4jscn93f',1,4,1.79482678020947480196e+09,1.79482678028159809108e+09);
CREATE INDEX tables_lobby ON tables (created) WHERE public = 1 AND phase IN ('open', 'playing');
CREATE INDEX tables_host ON tables (host) WHERE phase <> 'closed';
CREATE INDEX tables_used ON tables (used) WHERE phase <> 'closed';
CREATE INDEX seats_guest ON seats (guest) WHERE guest IS NOT NULL;
CREATE INDEX games_wake ON games (wake) WHERE wake IS NOT NULL;
CREATE INDEX games_table ON games (tbl);
CREATE INDEX players_guest ON players (guest, started) WHERE guest IS NOT NULL;
CREATE INDEX presence_process ON presence (process);
COMMIT;
