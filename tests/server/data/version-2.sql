-- token of the guest Anna: g1.e98t71tcd2ar7jzvv94n.jPVRlfPwBqT3OmO4Mvj6PRM7
-- running: ccy411b8gss8d034cxxb, over: e96jm6zjrad26creeqvq
PRAGMA user_version=2;
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
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',1,1.79481618226757359511e+09,'=1123444W','A:2-7d8b9960','1 9478cb8e3941c47a4b3e69aad3b79ba1777e9b599ad774fd238637d351de55ee 4KaWZJUuVNyTFiaGZkcreQ');
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',2,1.79481618228457641601e+09,'A kW','A:3-ad6f2f8c',NULL);
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',3,1.7948161822989132404e+09,'A r',NULL,NULL);
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',4,1.7948161822989132404e+09,'=333344W','A:4-677591b4','2 84e7ec7b09c012dd8007d3fa97540420f79c85c227887b1bbaae4c9e9a94b019 RhZXnwrtKYbgxYZHnq-d3w');
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',5,1.79481618234467554091e+09,'A k4','A:5-c944d1cd',NULL);
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',6,1.7948161823638312817e+09,'A r',NULL,NULL);
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',7,1.7948161823638312817e+09,'=2245W','A:6-c94994dc','3 727f7558b3204e300f67231593ef3b6424fdca86a9ff524ca1f846a5e73fa4ac 3QlSqxW-9mJNebxIOXodcQ');
INSERT INTO "entries" VALUES('1rqm4dcfbk9sf9dec8rf',8,1.79481618239180397986e+09,'A k5','A:7-e62b71b6',NULL);
INSERT INTO "entries" VALUES('vcdd4nqns10fa4fzxgqh',1,1.79481618243987798688e+09,'=1145WWWW','A:2-ca223f85','1 e9553500d4b80f0406b953741fed904594f0e5eee85ad67d4741e2c0be6326d3 dK1tuK5m5cqeyBoRYwYcjQ');
INSERT INTO "entries" VALUES('vcdd4nqns10fa4fzxgqh',2,1.79481618244320464137e+09,'A resign','A:r',NULL);
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
INSERT INTO "games" VALUES('1rqm4dcfbk9sf9dec8rf','ccy411b8gss8d034cxxb','classic',0,1.79481618210739421849e+09,X'6CEC724E1C56E1F86A980B30B9ACCF03A0D7697317E5E7D0F2CAF8CA9AD6682A','b076fd2e1982f132a60e5bad2dc77ff218a5bb7a8ead66bb2d88cab06fb39501',NULL,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "games" VALUES('vcdd4nqns10fa4fzxgqh','e96jm6zjrad26creeqvq','classic',0,1.79481618217643070214e+09,X'572A385932B7480D51485F51803C6EA6EE47151BB9FC4BDAAEECDCA9DDFF3FCE','66452eaade6323635c7371136e8220c37b9130347428bb110e22c733fe99a535',NULL,90,900,1.79481618244320464137e+09,'{"winners":["B"],"scores":[0,0],"ranks":[2,1],"reason":"resignation"}',NULL,NULL);
CREATE TABLE guests (id TEXT PRIMARY KEY, name TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
INSERT INTO "guests" VALUES('e98t71tcd2ar7jzvv94n','Anna',1.79481618203617143626e+09);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('secret','2bb658cd3a496d9a5e924e23af90354eeed4a8817c39bb32c777d4842b0b33b8');
CREATE TABLE players (
            game TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            started DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (game, seat)
        ) WITHOUT ROWID;
INSERT INTO "players" VALUES('1rqm4dcfbk9sf9dec8rf',0,'e98t71tcd2ar7jzvv94n','Anna',NULL,1.79481618210739421849e+09);
INSERT INTO "players" VALUES('1rqm4dcfbk9sf9dec8rf',1,'e98t71tcd2ar7jzvv94n','Ben',NULL,1.79481618210739421849e+09);
INSERT INTO "players" VALUES('1rqm4dcfbk9sf9dec8rf',2,NULL,'cautious','cautious',1.79481618210739421849e+09);
INSERT INTO "players" VALUES('vcdd4nqns10fa4fzxgqh',0,'e98t71tcd2ar7jzvv94n','Anna',NULL,1.79481618217643070214e+09);
INSERT INTO "players" VALUES('vcdd4nqns10fa4fzxgqh',1,'e98t71tcd2ar7jzvv94n','Ben',NULL,1.79481618217643070214e+09);
CREATE TABLE presence (
            tbl TEXT NOT NULL,
            process TEXT NOT NULL,
            seats TEXT NOT NULL,
            PRIMARY KEY (tbl, process)
        ) WITHOUT ROWID;
CREATE TABLE processes (id TEXT PRIMARY KEY, heard DOUBLE PRECISION NOT NULL);
CREATE TABLE seats (
            tbl TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            serial INTEGER NOT NULL,
            PRIMARY KEY (tbl, seat)
        ) WITHOUT ROWID;
INSERT INTO "seats" VALUES('ccy411b8gss8d034cxxb',0,'e98t71tcd2ar7jzvv94n','Anna',NULL,1);
INSERT INTO "seats" VALUES('ccy411b8gss8d034cxxb',1,'e98t71tcd2ar7jzvv94n','Ben',NULL,1);
INSERT INTO "seats" VALUES('ccy411b8gss8d034cxxb',2,NULL,'cautious','cautious',1);
INSERT INTO "seats" VALUES('e96jm6zjrad26creeqvq',0,'e98t71tcd2ar7jzvv94n','Anna',NULL,1);
INSERT INTO "seats" VALUES('e96jm6zjrad26creeqvq',1,'e98t71tcd2ar7jzvv94n','Ben',NULL,1);
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
INSERT INTO "tables" VALUES('ccy411b8gss8d034cxxb','ZXAH8V','playing',0,'e98t71tcd2ar7jzvv94n','{"edition":"classic","public":false,"hints":true,"first":"A","timer":null,"away":null,"pace_ms":0}','1rqm4dcfbk9sf9dec8rf',1,2,1.79481618207500648494e+09,1.79481618212491703034e+09);
INSERT INTO "tables" VALUES('e96jm6zjrad26creeqvq','HMUZ4Z','over',0,'e98t71tcd2ar7jzvv94n','{"edition":"classic","public":false,"hints":true,"first":"A","timer":null,"away":90,"pace_ms":900}','vcdd4nqns10fa4fzxgqh',1,3,1794816182.15921,1.79481618244320464137e+09);
CREATE INDEX tables_lobby ON tables (created) WHERE public = 1 AND phase IN ('open', 'playing');
CREATE INDEX tables_host ON tables (host) WHERE phase <> 'closed';
CREATE INDEX tables_used ON tables (used) WHERE phase <> 'closed';
CREATE INDEX seats_guest ON seats (guest) WHERE guest IS NOT NULL;
CREATE INDEX games_wake ON games (wake) WHERE wake IS NOT NULL;
CREATE INDEX games_table ON games (tbl);
CREATE INDEX players_guest ON players (guest, started) WHERE guest IS NOT NULL;
CREATE INDEX presence_process ON presence (process);
COMMIT;
