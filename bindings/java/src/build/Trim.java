import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewrites the classes in a folder that Endive made of WASM modules. It runs while the package is built.
 *
 * <p><b>Comparisons.</b> Endive calls a method that returns 0 or 1, and then branches on that. HotSpot can compile two
 * such comparisons of the same number into code that takes the wrong branch (JDK-8376400: Java 17 and others whose
 * updates lack the repair). Here, a comparison before a branch becomes the branch, and the others become methods
 * without branches (standin.Compare): there is nothing to mistake. It is faster, too.
 *
 * <p><b>Interruptions.</b> Endive asks in every loop whether the thread is interrupted. Cores have threads of their
 * own, which nobody interrupts, and to ask took a third of all time.
 */
public final class Trim {
    /** Comparisons that jump where both operands are on the stack, by what they compare: to jump or not to. */
    private static final Map<String, List<Integer>> OF_TWO = Map.of(
            "I32_EQ", List.of(IF_ICMPEQ, IF_ICMPNE),
            "I32_NE", List.of(IF_ICMPNE, IF_ICMPEQ),
            "I32_LT_S", List.of(IF_ICMPLT, IF_ICMPGE),
            "I32_GE_S", List.of(IF_ICMPGE, IF_ICMPLT),
            "I32_GT_S", List.of(IF_ICMPGT, IF_ICMPLE),
            "I32_LE_S", List.of(IF_ICMPLE, IF_ICMPGT));
    /** Those of a number and zero. Unsigned ones are of the operands' difference, as a long. */
    private static final Map<String, List<Integer>> OF_ONE = Map.of(
            "I32_EQZ", List.of(IFEQ, IFNE),
            "I32_LT_U", List.of(IFLT, IFGE),
            "I32_GE_U", List.of(IFGE, IFLT),
            "I32_GT_U", List.of(IFGT, IFLE),
            "I32_LE_U", List.of(IFLE, IFGT));

    public static void main(String[] folders) throws IOException {
        try (var files = Files.walk(Path.of(folders[0]))) {
            for (Path file : files.filter(path -> path.toString().matches(".*FuncGroup_\\d+\\.class")).toList()) {
                ClassNode made = new ClassNode();
                new ClassReader(Files.readAllBytes(file)).accept(made, 0);
                made.methods.forEach(Trim::trim);
                ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
                made.accept(writer);
                Files.write(file, writer.toByteArray());
            }
        }
    }

    /** Goes from a method's end to its start, so that what follows a comparison has been rewritten before it. */
    private static void trim(MethodNode method) {
        AbstractInsnNode before;
        for (AbstractInsnNode node = method.instructions.getLast(); node != null; node = before) {
            before = node.getPrevious();
            if (!(node instanceof MethodInsnNode call)) continue;
            if (call.name.equals("checkInterruption")) method.instructions.remove(call);
            else if (call.name.equals("i32_ge_u")) compare(method.instructions, call, "I32_GE_U");
            else if (call.owner.endsWith("/OpcodeImpl")) compare(method.instructions, call, call.name);
        }
    }

    private static void compare(InsnList code, MethodInsnNode call, String name) {
        List<Integer> jumps = OF_TWO.getOrDefault(name, OF_ONE.get(name));
        if (jumps == null) return;
        int next = call.getNext().getOpcode();
        if (next == IFNE || next == IFEQ) {
            if (name.endsWith("_U")) {
                code.insertBefore(call, new MethodInsnNode(INVOKESTATIC, "standin/Compare", "minus", "(II)J"));
                code.insertBefore(call, new InsnNode(LCONST_0));
                code.insertBefore(call, new InsnNode(LCMP));
            }
            ((JumpInsnNode) call.getNext()).setOpcode(jumps.get(next == IFNE ? 0 : 1));
            code.remove(call);
        } else {
            call.owner = "standin/Compare";
            call.name = name;
        }
    }
}
