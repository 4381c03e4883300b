package config

import "testing"

// TestPasswordOfACopy: the password that is set opens the server that a copy goes to, also where
// the configuration has a file for its database.
func TestPasswordOfACopy(t *testing.T) {
	const at, other = "postgres://samizdat@db.example/samizdat", "postgres://samizdat@other.example/samizdat"
	t.Setenv("SAMIZDAT_DATABASE_PASSWORD", "s3cret")
	for _, tt := range []struct{ database, where, want string }{
		{"samizdat.db", at, "postgres://samizdat:s3cret@db.example/samizdat"},
		{"samizdat.db", "postgres://samizdat:own@db.example/samizdat", "postgres://samizdat:own@db.example/samizdat"},
		{"samizdat.db", "/srv/copy.db", "/srv/copy.db"},
		{at, at, "postgres://samizdat:s3cret@db.example/samizdat"},
		{at, other, other},
		{at, "/srv/copy.db", "/srv/copy.db"},
	} {
		c, err := LoadSettings(write(t, "database: "+tt.database+"\n"))
		if err != nil {
			t.Errorf("with the database %s: %v", tt.database, err)
			continue
		}
		if got := c.DSNFor(tt.where); got != tt.want {
			t.Errorf("with the database %s, %s is at %s, want %s", tt.database, tt.where, got, tt.want)
		}
	}
}
