package standin

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"standin/internal/core"
)

//go:embed wasm/engine.wasm
var engineModule []byte

// caches are those of this process, by their folders, under compiling.
var caches = map[string]wazero.CompilationCache{}

// compiling is held while the engine is compiled: of cores that start at the same time, one does it for all.
var compiling sync.Mutex

// host runs the core, which is Go code that is made from its module (core/build.mjs), and instances of the engine, whose
// SIMD needs a compiler that knows it.
type host struct {
	core *core.Module
	// memory is that of the core. It moves when it grows.
	memory  *[]byte
	runtime wazero.Runtime
	engine  wazero.CompiledModule
	engines map[int32]*engine
	made    int32
	began   time.Time
	// breathe gets the JSON of a progress event, which may be empty, of the request that is being answered. It says
	// whether the request should end.
	breathe func(progress []byte) bool
}

// engine is one instance of the engine.
type engine struct {
	api.Module
	functions map[string]api.Function
}

// cacheOf returns the cache that keeps the machine code of the engine for all cores of this process and, in a folder,
// for later processes.
func cacheOf(folder string) (wazero.CompilationCache, error) {
	compiling.Lock()
	defer compiling.Unlock()
	cache, err := caches[folder], error(nil)
	if cache != nil {
		return cache, nil
	}
	if folder == "" {
		cache = wazero.NewCompilationCache()
	} else if cache, err = wazero.NewCompilationCacheWithDir(folder); err != nil {
		return nil, err
	}
	caches[folder] = cache
	return cache, nil
}

func newHost(ctx context.Context, folder string) (*host, error) {
	cache, err := cacheOf(folder)
	if err != nil {
		return nil, err
	}
	h := &host{
		runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache)),
		engines: map[int32]*engine{},
		began:   time.Now(),
	}
	if err := h.start(ctx); err != nil {
		return nil, errors.Join(err, h.runtime.Close(ctx))
	}
	return h, nil
}

// start compiles the engine and starts the core.
func (h *host) start(ctx context.Context) (err error) {
	defer trapped(&err)
	if err := h.compile(ctx); err != nil {
		return err
	}
	h.core = core.New(verbs{h})
	h.memory = h.core.Xmemory().Slice()
	h.core.X_initialize()
	if h.core.Xcore_start() != 0 {
		return errors.New("standin: the core does not start")
	}
	return nil
}

func (h *host) compile(ctx context.Context) (err error) {
	compiling.Lock()
	defer compiling.Unlock()
	h.engine, err = h.runtime.CompileModule(ctx, engineModule)
	return err
}

// trapped makes an error of a panic: that is how the core traps.
func trapped(err *error) {
	if trap := recover(); trap != nil {
		*err = fmt.Errorf("standin: the core trapped: %v", trap)
	}
}

// send passes a request to the core, and returns a copy of its answer.
func (h *host) send(request []byte) (copied []byte, err error) {
	defer trapped(&err)
	length := int32(len(request))
	pointer := h.core.Xcore_alloc(length)
	if pointer == 0 {
		return nil, errors.New("standin: the core has no memory for a request")
	}
	copy(h.bytesOf(pointer, length), request)
	answer := h.core.Xcore_request(pointer, length)
	if answer == 0 {
		return nil, errors.New("standin: the core failed without an answer")
	}
	copied = bytes.Clone(h.bytesOf(answer, h.core.Xcore_answer_length()))
	h.core.Xcore_free(answer)
	return copied, nil
}

// bytesOf returns a part of the core's memory itself, valid until the core runs again. It panics outside of the memory,
// which ends a request.
func (h *host) bytesOf(pointer, length int32) []byte {
	return (*h.memory)[uint32(pointer):][:uint32(length)]
}

// bytesIn returns a part of an instance's memory itself, valid until the instance runs again. It panics if there is no
// such instance or memory.
func (h *host) bytesIn(instance, pointer, length int32) []byte {
	part, ok := h.engines[instance].Memory().Read(uint32(pointer), uint32(length))
	if !ok {
		panic("bytes outside of an instance's memory")
	}
	return part
}
