package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// work is what one change does in a transaction.
type work = func(ctx context.Context, tx *transaction) error

// transaction is one that writes.
type transaction struct {
	*sql.Tx
	key *key
}

// seal is a value as its column holds it: with the column's name and what names the row.
func (tx *transaction) seal(value any, column string, row ...any) driver.Valuer {
	return sealed{tx.key, value, append([]any{column}, row...)}
}

// ids numbers new rows of a table.
func (tx *transaction) ids(ctx context.Context, table string, n int) ([]int64, error) {
	if n == 0 {
		return nil, nil
	}
	ids := make([]int64, n)
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM `+table).Scan(&ids[0])
	for i := 1; i < n; i++ {
		ids[i] = ids[0] + int64(i)
	}
	return ids, err
}
