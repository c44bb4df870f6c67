package io.jaccl4j.fabric.tcp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.InvalidBufferException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TcpMemoryTest {
  private static final int SLOT_BYTES = 4096;

  @Test
  void shouldShowEveryMessageOfALargeHeapAsAWhole() {
    long stride = 1L << 29;
    TcpMemory memory = new TcpMemory(SLOT_BYTES, 2, 1, 8, stride + (1 << 20));
    try {
      for (long offset :
          new long[] {0, stride - SLOT_BYTES, stride - 1, stride, stride + SLOT_BYTES - 1}) {
        MemorySegment message = memory.segment().asSlice(offset, SLOT_BYTES);
        message.fill((byte) 1);
        message.set(JAVA_BYTE, 0, (byte) 2);
        message.set(JAVA_BYTE, SLOT_BYTES - 1, (byte) 3);
        ByteBuffer window = memory.window(offset, SLOT_BYTES);
        assertThat(window.remaining()).isEqualTo(SLOT_BYTES);
        assertThat(MemorySegment.ofBuffer(window).mismatch(message))
            .as("at %d", offset)
            .isEqualTo(-1);
        message.fill((byte) 0);
      }
    } finally {
      memory.free();
    }
  }

  @Test
  void shouldKeepSlotsReceivesAndHeapApart() {
    TcpMemory memory = new TcpMemory(SLOT_BYTES, 2, 2, 8, 10_000);
    try {
      assertThat(memory.slots()).isEqualTo(2);
      assertThat(memory.slotOffset(1)).isEqualTo(SLOT_BYTES);
      assertThat(memory.receiveOffset(0, 0)).isEqualTo(2 * SLOT_BYTES);
      assertThat(memory.receiveOffset(1, 7)).isEqualTo(17 * SLOT_BYTES);
      MemorySegment first = memory.allocate(100);
      assertThat(memory.offsetOf(first)).isEqualTo(18 * SLOT_BYTES);
      assertThat(first.toArray(JAVA_BYTE)).containsOnly(0);
      assertThat(memory.offsetOf(memory.allocate(1))).isEqualTo(18 * SLOT_BYTES + 128);
      assertThatThrownBy(() -> memory.allocate(10_000))
          .isInstanceOf(InvalidBufferException.class)
          .hasMessageContaining("jaccl4j.memory.registered-bytes");
      try (Arena other = Arena.ofConfined()) {
        assertThat(memory.offsetOf(other.allocate(8))).isEqualTo(-1);
      }
    } finally {
      memory.free();
    }
    assertThatThrownBy(() -> memory.segment().get(JAVA_BYTE, 0))
        .as("what was handed out becomes inaccessible")
        .isInstanceOf(IllegalStateException.class);
    memory.free();
  }
}
