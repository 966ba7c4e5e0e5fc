package standin

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// mostArguments is how many arguments and results an export of the engine has at most.
const mostArguments = 16

// verbs are what the core asks of its host (bindings/CORE.md), under the names that wasm2go gives them.
type verbs struct{ *host }

func (v verbs) Xinstance() int32 {
	allocator := experimental.MemoryAllocatorFunc(newWipedMemory)
	ctx := experimental.WithMemoryAllocator(context.Background(), allocator)
	module, err := v.runtime.InstantiateModule(ctx, v.engine, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return 0
	}
	v.made++
	v.engines[v.made] = &engine{module, map[string]api.Function{}}
	return v.made
}

func (v verbs) Xdrop(instance int32) {
	if engine, ok := v.engines[instance]; ok {
		delete(v.engines, instance)
		_ = engine.Close(context.Background())
	}
}

// Xcall passes values as they are: in slots of 8 bytes.
func (v verbs) Xcall(instance, name, nameLength, arguments, count, result int32) int32 {
	engine := v.engines[instance]
	named := v.bytesOf(name, nameLength)
	function, ok := engine.functions[string(named)]
	if !ok {
		function = engine.ExportedFunction(string(named))
		engine.functions[string(named)] = function
	}
	var values [mostArguments]uint64
	slots := v.bytesOf(arguments, 8*count)
	for at := range count {
		values[at] = binary.LittleEndian.Uint64(slots[8*at:])
	}
	if err := function.CallWithStack(context.Background(), values[:]); err != nil {
		return 1
	}
	if len(function.Definition().ResultTypes()) > 0 {
		binary.LittleEndian.PutUint64(v.bytesOf(result, 8), values[0])
	}
	return 0
}

func (v verbs) Xread(instance, pointer, into, length int32) {
	copy(v.bytesOf(into, length), v.bytesIn(instance, pointer, length))
}

func (v verbs) Xwrite(instance, pointer, from, length int32) {
	copy(v.bytesIn(instance, pointer, length), v.bytesOf(from, length))
}

func (v verbs) Xcopy(instance, pointer, other, from, length int32) {
	copy(v.bytesIn(instance, pointer, length), v.bytesIn(other, from, length))
}

func (v verbs) Xfill_key(instance, pointer, length int32) int32 {
	_, err := rand.Read(v.bytesIn(instance, pointer, length))
	return flag(err != nil)
}

func (v verbs) Xbreathe(progress, length int32) int32 {
	return flag(v.breathe(v.bytesOf(progress, length)))
}

func (v verbs) Xnow() float64 {
	return float64(time.Since(v.began)) / float64(time.Millisecond)
}

func flag(is bool) int32 {
	if is {
		return 1
	}
	return 0
}
