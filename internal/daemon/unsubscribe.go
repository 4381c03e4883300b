package daemon

import (
	"context"
	"log/slog"
	"net/http"
)

// unsubscribePath begins the path of unsubscribe links. The rest is the token of the member.
const unsubscribePath = "unsubscribe/"

// unsubscribePage asks before a link has an effect, because mail programs and scanners open links.
const unsubscribePage = `<!DOCTYPE html><html lang="en"><title>Unsubscribe</title><p>Stop the news of the club?
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Stop</button></form></html>
`

// unsubscribeHandler handles requests for unsubscribe links (RFC 8058), and leaves all other requests to next. A GET
// request only asks. A wrong token gets the same answer as a right one.
func unsubscribeHandler(next http.Handler, unsubscribe func(ctx context.Context, token string) (bool, error),
	log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	setSecurityHeaders := func(rw http.ResponseWriter) {
		rw.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
		rw.Header().Set("Referrer-Policy", "no-referrer")
	}
	mux.HandleFunc("GET /"+unsubscribePath+"{token}", func(rw http.ResponseWriter, _ *http.Request) {
		setSecurityHeaders(rw)
		_, _ = rw.Write([]byte(unsubscribePage)) // The client may have closed the connection.
	})
	mux.HandleFunc("POST /"+unsubscribePath+"{token}", func(rw http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(rw)
		r.Body = http.MaxBytesReader(rw, r.Body, maxResponseBytes)
		if r.PostFormValue("List-Unsubscribe") != "One-Click" {
			http.Error(rw, "The request has no field List-Unsubscribe=One-Click.", http.StatusBadRequest)
			return
		}
		if _, err := unsubscribe(r.Context(), r.PathValue("token")); err != nil {
			log.Error("a member cannot be unsubscribed", "error", err)
			http.Error(rw, "The server has failed. Please try again later, or write DIGEST OFF to the club.", http.StatusServiceUnavailable)
			return
		}
		_, _ = rw.Write([]byte("You get no more news of the club.\n")) // The client may have closed the connection.
	})
	return mux
}
