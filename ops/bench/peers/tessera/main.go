// A log of Tessera on files, behind HTTP: the body of a POST becomes an entry. /add answers when the entry is on disk and in the
// tree, /published when a signed checkpoint has it.
//
//	peer PORT DIRECTORY
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

// With its defaults a lone write waits 250 ms for others, and a checkpoint 10 s. 100 ms is the shortest that this storage takes.
const (
	batchSize  = 256
	batchAge   = 5 * time.Millisecond
	checkpoint = 100 * time.Millisecond
)

func main() {
	if err := serve(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, port, directory string) error {
	private, _, err := note.GenerateKey(rand.Reader, "bench")
	if err != nil {
		return err
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return err
	}
	files, err := posix.New(ctx, posix.Config{Path: directory})
	if err != nil {
		return err
	}
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(batchSize, batchAge).
		WithCheckpointInterval(checkpoint)
	appender, _, reader, err := tessera.NewAppender(ctx, files, options)
	if err != nil {
		return err
	}
	published := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, checkpoint/4)

	http.HandleFunc("POST /add", answering(func(ctx context.Context, entry []byte) (tessera.Index, error) {
		return appender.Add(ctx, tessera.NewEntry(entry))()
	}))
	http.HandleFunc("POST /published", answering(func(ctx context.Context, entry []byte) (tessera.Index, error) {
		index, _, err := published.Await(ctx, appender.Add(ctx, tessera.NewEntry(entry)))
		return index, err
	}))
	return http.ListenAndServe("127.0.0.1:"+port, nil)
}

// Answers with the index of the entry that the body became.
func answering(append func(context.Context, []byte) (tessera.Index, error)) http.HandlerFunc {
	return func(answer http.ResponseWriter, request *http.Request) {
		entry, err := io.ReadAll(request.Body)
		if err == nil {
			var index tessera.Index
			if index, err = append(request.Context(), entry); err == nil {
				fmt.Fprint(answer, index.Index)
				return
			}
		}
		http.Error(answer, err.Error(), http.StatusInternalServerError)
	}
}
