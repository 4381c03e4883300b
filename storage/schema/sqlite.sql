-- What only SQLite has.

CREATE INDEX matches_listed ON matches (id, game, state, created, tempo, summary);

CREATE TRIGGER outbox_done AFTER UPDATE OF state ON outbox WHEN NEW.state IN ('sent', 'dropped') BEGIN
	DELETE FROM bodies WHERE id = NEW.id;
END;
CREATE TRIGGER matches_ended AFTER UPDATE OF state ON matches WHEN NEW.state <> OLD.state AND 'over' IN (NEW.state, OLD.state) BEGIN
	INSERT INTO uncounted (match) VALUES (NEW.id) ON CONFLICT (match) DO UPDATE SET due = 0;
END;
