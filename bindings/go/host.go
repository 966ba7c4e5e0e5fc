package standin

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

//go:embed wasm/standin-core.wasm
var coreModule []byte

//go:embed wasm/engine.wasm
var engineModule []byte

// caches are those of this process, by their folders, under compiling.
var caches = map[string]wazero.CompilationCache{}

// compiling is held while modules are compiled: of cores that start at the same time, one does it for all.
var compiling sync.Mutex

// host runs the core's module and gives it its verbs: instances of the engine, calls of them and copies of bytes.
type host struct {
	runtime wazero.Runtime
	core    api.Module
	engine  wazero.CompiledModule
	engines map[uint32]*engine
	made    uint32
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

// mostArguments is how many arguments and results an export of the engine has at most.
const mostArguments = 16

// cacheOf returns the cache that keeps the machine code of the two modules for all cores of this process and, in a
// folder, for later processes.
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
		engines: map[uint32]*engine{},
		began:   time.Now(),
	}
	if err := h.start(ctx); err != nil {
		return nil, errors.Join(err, h.runtime.Close(ctx))
	}
	return h, nil
}

func (h *host) start(ctx context.Context) error {
	core, err := h.compile(ctx)
	if err != nil {
		return err
	}
	if err := h.provideVerbs(ctx); err != nil {
		return err
	}
	h.core, err = h.runtime.InstantiateModule(ctx, core, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return err
	}
	if failed, err := h.run(ctx, "core_start"); err != nil || failed != 0 {
		return errors.Join(errors.New("standin: the core does not start"), err)
	}
	return nil
}

func (h *host) compile(ctx context.Context) (core wazero.CompiledModule, err error) {
	compiling.Lock()
	defer compiling.Unlock()
	if h.engine, err = h.runtime.CompileModule(ctx, engineModule); err != nil {
		return nil, err
	}
	return h.runtime.CompileModule(ctx, coreModule)
}

// run calls an export of the core that returns one i32, or nothing.
func (h *host) run(ctx context.Context, name string, arguments ...uint64) (uint32, error) {
	results, err := h.core.ExportedFunction(name).Call(ctx, arguments...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return api.DecodeU32(results[0]), nil
}

// send passes a request to the core, and returns a copy of its answer.
func (h *host) send(ctx context.Context, request []byte) ([]byte, error) {
	length := uint64(len(request))
	pointer, err := h.run(ctx, "core_alloc", length)
	if err != nil || pointer == 0 {
		return nil, errors.Join(errors.New("standin: the core has no memory for a request"), err)
	}
	h.core.Memory().Write(pointer, request)
	answer, err := h.run(ctx, "core_request", uint64(pointer), length)
	if err != nil || answer == 0 {
		return nil, errors.Join(errors.New("standin: the core failed without an answer"), err)
	}
	size, err := h.run(ctx, "core_answer_length")
	if err != nil {
		return nil, err
	}
	copied := append([]byte(nil), bytesIn(h.core, answer, size)...)
	_, err = h.run(ctx, "core_free", uint64(answer))
	return copied, err
}

// bytesIn returns a part of a module's memory itself, valid until the module runs again. It panics outside of the
// memory, which ends a request.
func bytesIn(module api.Module, pointer, length uint32) []byte {
	bytes, ok := module.Memory().Read(pointer, length)
	if !ok {
		panic("standin: bytes outside of a module's memory")
	}
	return bytes
}

// provideVerbs makes the module that the core imports.
func (h *host) provideVerbs(ctx context.Context) error {
	const i32, f64 = api.ValueTypeI32, api.ValueTypeF64
	builder := h.runtime.NewHostModuleBuilder("standin")
	verb := func(name string, count int, results []api.ValueType, function func(ctx context.Context, stack []uint64)) {
		parameters := make([]api.ValueType, count)
		for at := range parameters {
			parameters[at] = i32
		}
		verb := api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) { function(ctx, stack) })
		builder.NewFunctionBuilder().WithGoModuleFunction(verb, parameters, results).Export(name)
	}
	one := []api.ValueType{i32}
	verb("instance", 0, one, func(ctx context.Context, stack []uint64) { stack[0] = uint64(h.open(ctx)) })
	verb("drop", 1, nil, func(ctx context.Context, stack []uint64) { h.drop(ctx, uint32(stack[0])) })
	verb("call", 6, one, h.call)
	verb("read", 4, nil, func(_ context.Context, stack []uint64) {
		copy(bytesIn(h.core, uint32(stack[2]), uint32(stack[3])), h.bytes(stack[0], stack[1], stack[3]))
	})
	verb("write", 4, nil, func(_ context.Context, stack []uint64) {
		copy(h.bytes(stack[0], stack[1], stack[3]), bytesIn(h.core, uint32(stack[2]), uint32(stack[3])))
	})
	verb("copy", 5, nil, func(_ context.Context, stack []uint64) {
		copy(h.bytes(stack[0], stack[1], stack[4]), h.bytes(stack[2], stack[3], stack[4]))
	})
	verb("fill_key", 3, one, func(_ context.Context, stack []uint64) {
		_, err := rand.Read(h.bytes(stack[0], stack[1], stack[2]))
		stack[0] = flag(err != nil)
	})
	verb("breathe", 2, one, func(_ context.Context, stack []uint64) {
		stack[0] = flag(h.breathe(bytesIn(h.core, uint32(stack[0]), uint32(stack[1]))))
	})
	verb("now", 0, []api.ValueType{f64}, func(_ context.Context, stack []uint64) {
		stack[0] = api.EncodeF64(float64(time.Since(h.began)) / float64(time.Millisecond))
	})
	_, err := builder.Instantiate(ctx)
	return err
}

func flag(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// open makes an instance of the engine, and returns its number, or 0 if there is no room for one.
func (h *host) open(ctx context.Context) uint32 {
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newWipedMemory))
	module, err := h.runtime.InstantiateModule(ctx, h.engine, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return 0
	}
	h.made++
	h.engines[h.made] = &engine{module, map[string]api.Function{}}
	return h.made
}

func (h *host) drop(ctx context.Context, instance uint32) {
	if engine, ok := h.engines[instance]; ok {
		delete(h.engines, instance)
		_ = engine.Close(ctx)
	}
}

// bytes returns a part of an instance's memory itself.
func (h *host) bytes(instance, pointer, length uint64) []byte {
	return bytesIn(h.engines[uint32(instance)], uint32(pointer), uint32(length))
}

// call calls an export of an instance. Values cross as they are: in slots of 8 bytes.
func (h *host) call(ctx context.Context, stack []uint64) {
	engine := h.engines[uint32(stack[0])]
	name := bytesIn(h.core, uint32(stack[1]), uint32(stack[2]))
	slots, count, result := uint32(stack[3]), uint32(stack[4]), uint32(stack[5])
	function, ok := engine.functions[string(name)]
	if !ok {
		function = engine.ExportedFunction(string(name))
		engine.functions[string(name)] = function
	}
	var values [mostArguments]uint64
	memory := h.core.Memory()
	for at := range count {
		values[at], _ = memory.ReadUint64Le(slots + 8*at)
	}
	if err := function.CallWithStack(ctx, values[:]); err != nil {
		stack[0] = 1
		return
	}
	if len(function.Definition().ResultTypes()) > 0 {
		memory.WriteUint64Le(result, values[0])
	}
	stack[0] = 0
}
