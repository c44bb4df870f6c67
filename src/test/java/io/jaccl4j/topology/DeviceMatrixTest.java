package io.jaccl4j.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMatrixTest {

  @Test
  void shouldAgreeWithJacclsRulesForEveryMatrixOfTwoAndThreeRanks() {
    for (int size = 2; size <= 3; size++) {
      int cells = size * size;
      int all = (int) Math.pow(3, cells);
      for (int code = 0; code < all; code++) {
        int[][] counts = new int[size][size];
        int rest = code;
        for (int cell = 0; cell < cells; cell++) {
          counts[cell / size][cell % size] = rest % 3;
          rest /= 3;
        }
        DeviceMatrix matrix = matrix(counts);
        boolean mesh = isMeshByTheRule(counts);
        boolean ring = isRingByTheRule(counts);

        assertThat(matrix.isMesh()).as("mesh %s", matrix).isEqualTo(mesh);
        assertThat(matrix.isRing()).as("ring %s", matrix).isEqualTo(ring);
        assertThat(matrix.choose(true).map(TopologyChoice::topology))
            .isEqualTo(choice(ring, Topology.RING).or(() -> choice(mesh, Topology.MESH)));
        assertThat(matrix.choose(false).map(TopologyChoice::topology))
            .isEqualTo(choice(mesh, Topology.MESH).or(() -> choice(ring, Topology.RING)));
      }
    }
  }

  private static Optional<Topology> choice(boolean valid, Topology topology) {
    return valid ? Optional.of(topology) : Optional.empty();
  }

  /** N >= 2, diagonal empty, every other cell non-empty. */
  private static boolean isMeshByTheRule(int[][] counts) {
    for (int row = 0; row < counts.length; row++) {
      for (int column = 0; column < counts.length; column++) {
        if ((row == column) != (counts[row][column] == 0)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Every neighbour's cell has as many names as cell [0][1]; a ring without cables is none. */
  private static boolean isRingByTheRule(int[][] counts) {
    int size = counts.length;
    for (int row = 0; row < size; row++) {
      if (counts[row][(row + 1) % size] != counts[0][1]
          || counts[row][(row + size - 1) % size] != counts[0][1]) {
        return false;
      }
    }
    return counts[0][1] > 0;
  }

  @Test
  void shouldNameThePairWithoutCable() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}});

    assertThat(matrix.meshFaults())
        .containsExactly(new TopologyFault(0, 2, "no cable between rank 0 and rank 2"));
    assertThat(matrix.ringFaults())
        .containsExactly(new TopologyFault(2, 0, "no cable between rank 2 and rank 0"));
  }

  @Test
  void shouldNameTheRankThatKnowsNothingOfACable() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 1}, {0, 0}});

    assertThat(matrix.meshFaults())
        .containsExactly(
            new TopologyFault(
                1,
                0,
                "rank 1 names no device towards rank 0, though rank 0 names rdma_0_1_0 towards"
                    + " rank 1"));
  }

  @Test
  void shouldNameTheRankThatIsCabledToItself() {
    assertThat(matrix(new int[][] {{0, 1}, {1, 1}}).meshFaults())
        .containsExactly(
            new TopologyFault(1, 1, "rank 1 names rdma_1_1_0 towards itself, want null"));
  }

  @Test
  void shouldNameTheEdgeWithFewerWires() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 2, 2}, {2, 0, 1}, {2, 1, 0}});

    assertThat(matrix.ringFaults())
        .containsExactly(
            new TopologyFault(1, 2, "edge 1-2 has 1 wire, edge 0-1 has 2, want equally many"));
  }

  @Test
  void shouldNameTheRanksThatDisagreeOnTheirWires() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 1, 1}, {1, 0, 2}, {1, 1, 0}});

    assertThat(matrix.ringFaults())
        .containsExactly(
            new TopologyFault(
                1,
                2,
                "rank 1 names 2 wires towards rank 2, rank 2 names 1 wire towards rank 1, want"
                    + " equally many"));
  }

  @Test
  void shouldRefuseMoreWiresAndRanksThanJacclTakes() {
    assertThat(matrix(new int[][] {{0, 5}, {5, 0}}).ringFaults())
        .extracting(TopologyFault::detail)
        .containsExactly("edge 0-1 has 5 wires, want at most 4");
    assertThat(fullMesh(8).meshFaults()).isEmpty();
    assertThat(fullMesh(9).meshFaults())
        .extracting(TopologyFault::detail)
        .containsExactly("9 ranks, want 2 to 8 for a mesh");
    assertThat(fullMesh(9).choose(false).orElseThrow().topology()).isEqualTo(Topology.RING);
  }

  @Test
  void shouldRefuseASingleRank() {
    DeviceMatrix matrix = matrix(new int[][] {{0}});

    assertThat(matrix.choose(false)).isEmpty();
    assertThatThrownBy(() -> matrix.require(true))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("1 rank, want 2 to 8 for a mesh")
        .hasMessageContaining("1 rank, want 2 or more for a ring");
  }

  @Test
  void shouldSayWhyItIsNeitherMeshNorRing() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}});

    assertThatThrownBy(() -> matrix.require(false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "devices form neither a mesh (no cable between rank 0 and rank 2) nor a ring"
                + " (no cable between rank 2 and rank 0)");
    assertThatThrownBy(() -> matrix.require(Topology.MESH))
        .hasMessage("devices form no mesh: no cable between rank 0 and rank 2");
    assertThatThrownBy(() -> matrix.require(Topology.RING))
        .hasMessage("devices form no ring: no cable between rank 2 and rank 0");
    assertThatThrownBy(matrix::meshCables).hasMessageContaining("no cable");
    assertThatThrownBy(matrix::ringCables).hasMessageContaining("no cable");
    assertThatThrownBy(matrix::ringWires).hasMessageContaining("no cable");
  }

  @Test
  void shouldSayWhyItChose() {
    DeviceMatrix line =
        matrix(new int[][] {{0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}});

    assertThat(line.require(false))
        .isEqualTo(
            new TopologyChoice(Topology.RING, "no mesh: no cable between rank 0 and rank 2"));
    assertThat(fullMesh(3).require(true).reason()).isEqualTo("a ring is preferred");
    assertThat(fullMesh(3).require(Topology.AUTO).topology()).isEqualTo(Topology.MESH);
    assertThat(fullMesh(3).require(Topology.MESH).reason()).isEqualTo("configured");
    assertThat(matrix(new int[][] {{0, 2, 1}, {2, 0, 1}, {1, 1, 0}}).require(true))
        .isEqualTo(
            new TopologyChoice(
                Topology.MESH,
                "a ring is preferred, but edge 1-2 has 1 wire, edge 0-1 has 2, want equally many"));
  }

  @Test
  void shouldUseTheFirstDeviceOfEachCellInAMesh() {
    assertThat(matrix(new int[][] {{0, 2, 1}, {1, 0, 3}, {1, 1, 0}}).meshCables())
        .containsExactly(
            new Cable(0, new CableEnd(0, "rdma_0_1_0"), new CableEnd(1, "rdma_1_0_0")),
            new Cable(1, new CableEnd(0, "rdma_0_2_0"), new CableEnd(2, "rdma_2_0_0")),
            new Cable(2, new CableEnd(1, "rdma_1_2_0"), new CableEnd(2, "rdma_2_1_0")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring-2-1", "ring-2-2", "ring-3-1", "ring-3-2", "ring-4-1", "ring-4-2"})
  void shouldPairDevicesOfARingAsJacclDid(String recording) throws IOException {
    Recorded recorded = Recorded.of(recording);
    int wires = Integer.parseInt(recording.substring(recording.length() - 1));
    DeviceMatrix matrix = recorded.ringMatrix(wires);

    Set<String> ours = new TreeSet<>();
    for (Cable cable : matrix.ringCables()) {
      ours.add(Recorded.pair(cable.first(), cable.second()));
      ours.add(Recorded.pair(cable.second(), cable.first()));
    }
    assertThat(matrix.ringWires()).isEqualTo(wires);
    assertThat(matrix.ringCables()).hasSize(matrix.size() * wires);
    assertThat(ours).isEqualTo(new TreeSet<>(recorded.pairs));
  }

  @Test
  void shouldNumberRingWiresRankByRank() {
    DeviceMatrix matrix = matrix(new int[][] {{0, 2, 2}, {2, 0, 2}, {2, 2, 0}});

    assertThat(matrix.ringCables()).extracting(Cable::number).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(matrix.ringCables().get(3))
        .isEqualTo(new Cable(3, new CableEnd(1, "rdma_1_2_1"), new CableEnd(2, "rdma_2_1_1")));
  }

  @Test
  void shouldLeaveOutSurplusCablesOfARing() {
    DeviceMatrix equal = matrix(new int[][] {{0, 2, 2}, {2, 0, 1}, {2, 1, 0}}).withEqualRingWires();

    assertThat(equal.isRing()).isTrue();
    assertThat(equal.ringWires()).isOne();
    assertThat(equal.devices(0, 1)).containsExactly("rdma_0_1_0");

    DeviceMatrix broken = matrix(new int[][] {{0, 2, 0}, {2, 0, 1}, {0, 1, 0}});
    assertThat(broken.withEqualRingWires()).isEqualTo(broken);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "2, 0, 1"})
  void shouldKnowNeighbours(int rank, int right, int left) {
    assertThat(fullMesh(3).rightOf(rank)).isEqualTo(right);
    assertThat(fullMesh(3).leftOf(rank)).isEqualTo(left);
  }

  @Test
  void shouldRefuseWhatIsNotSquare() {
    assertThatThrownBy(() -> DeviceMatrix.of(List.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("device matrix has no rows, want one for each rank");
    assertThatThrownBy(
            () -> DeviceMatrix.of(List.of(List.of(List.of(), List.of("a")), List.of(List.of("b")))))
        .hasMessage("device matrix: row of rank 1 has 1 cells, want 2, one for each rank");
    assertThatThrownBy(
            () ->
                DeviceMatrix.of(
                    List.of(List.of(List.of(), List.of(" ")), List.of(List.of("b"), List.of()))))
        .hasMessage("device matrix: rank 0 names a device towards rank 1 with a blank name");
  }

  private static DeviceMatrix fullMesh(int size) {
    int[][] counts = new int[size][size];
    for (int rank = 0; rank < size; rank++) {
      for (int peer = 0; peer < size; peer++) {
        counts[rank][peer] = rank == peer ? 0 : 1;
      }
    }
    return matrix(counts);
  }

  private static DeviceMatrix matrix(int[][] counts) {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int row = 0; row < counts.length; row++) {
      List<List<String>> cells = new ArrayList<>();
      for (int column = 0; column < counts.length; column++) {
        int from = row;
        int to = column;
        cells.add(
            IntStream.range(0, counts[row][column])
                .mapToObj(lane -> "rdma_%d_%d_%d".formatted(from, to, lane))
                .toList());
      }
      rows.add(cells);
    }
    return DeviceMatrix.of(rows);
  }

  /**
   * The queue pairs that upstream connected: for each rank first its left wires, then its right.
   */
  private record Recorded(List<String> pairs, List<List<String>> devicesByRank) {
    private static final Pattern LINE =
        Pattern.compile(" *rank (\\d+) q\\d+ (\\S+) -> rank (\\d+) (\\S+)");

    static Recorded of(String name) throws IOException {
      List<String> pairs = new ArrayList<>();
      List<List<String>> devices = new ArrayList<>();
      try (InputStream in =
          DeviceMatrixTest.class.getResourceAsStream("/jaccl/" + name + ".messages.txt")) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
          Matcher matcher = LINE.matcher(line);
          if (matcher.matches()) {
            int rank = Integer.parseInt(matcher.group(1));
            while (devices.size() <= rank) {
              devices.add(new ArrayList<>());
            }
            devices.get(rank).add(matcher.group(2));
            pairs.add(
                pair(
                    new CableEnd(rank, matcher.group(2)),
                    new CableEnd(Integer.parseInt(matcher.group(3)), matcher.group(4))));
          }
        }
      }
      return new Recorded(pairs, devices);
    }

    static String pair(CableEnd from, CableEnd to) {
      return from + " -> " + to;
    }

    DeviceMatrix ringMatrix(int wires) {
      int size = devicesByRank.size();
      List<List<List<String>>> rows = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        List<List<String>> row = new ArrayList<>();
        for (int peer = 0; peer < size; peer++) {
          row.add(List.of());
        }
        row.set((rank + size - 1) % size, devicesByRank.get(rank).subList(0, wires));
        row.set((rank + 1) % size, devicesByRank.get(rank).subList(wires, 2 * wires));
        rows.add(row);
      }
      return DeviceMatrix.of(rows);
    }
  }
}
