package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slabs cut into regions. */
class RegionPlanTest {
  private static final long GIB = 1L << 30;
  private static final long PAGE = 16 * 1024;

  @Test
  void shouldCutThreeGibibytesIntoRegionsOfOneAtMost() {
    RegionPlan plan = RegionPlan.of(3 * GIB, 512 << 10, GIB);
    assertThat(plan.count()).isEqualTo(4);
    assertThat(plan.bytes(0)).isEqualTo(GIB);
    assertThat(plan.bytes(1)).isEqualTo(GIB);
    assertThat(plan.offset(3) + plan.bytes(3)).isEqualTo(3 * GIB);
  }

  @ParameterizedTest
  @CsvSource({
    "3221225472, 524288, 1073741824",
    "3221225472, 4096, 1073741823",
    "1073758208, 16777216, 1073741824",
    "17179869184, 65536, 4294967296",
    "1048576, 65536, 81920",
    "1048576, 4096, 1048575"
  })
  void shouldHoldEveryMessageInOneRegion(long slabBytes, int slotBytes, long limitBytes) {
    RegionPlan plan = RegionPlan.of(slabBytes, slotBytes, limitBytes);
    for (int region = 0; region < plan.count(); region++) {
      assertThat(plan.bytes(region)).as("bytes of region %d", region).isBetween(1L, limitBytes);
      assertThat(plan.offset(region) % PAGE).as("offset of region %d", region).isZero();
    }
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      long offset =
          i < plan.count() * 3
              ? Math.clamp(plan.offset(i / 3) + i % 3 - 1, 0, slabBytes - 1)
              : random.nextLong(slabBytes);
      long end = Math.min(slabBytes, offset + slotBytes);
      int region = plan.regionOf(offset);
      boolean whole =
          plan.offset(region) <= offset && end <= plan.offset(region) + plan.bytes(region);
      assertThat(whole).as("[%d, %d) in region %d", offset, end, region).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "3221225472", "1099511627776"})
  void shouldKeepOneRegionWhereTheDeviceTakesIt(long limitBytes) {
    RegionPlan plan = RegionPlan.of(3 * GIB, 512 << 10, limitBytes);
    assertThat(plan.count()).isOne();
    assertThat(plan.bytes(0)).isEqualTo(3 * GIB);
    assertThat(plan.regionOf(3 * GIB - 1)).isZero();
  }
}
