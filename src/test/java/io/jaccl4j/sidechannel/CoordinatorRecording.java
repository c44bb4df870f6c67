package io.jaccl4j.sidechannel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What three ranks of upstream JACCL sent each other while they formed a group; bytes in hex. */
record CoordinatorRecording(
    String name, List<Round> rounds, List<String> streams, String received) {
  static final int SIZE = 3;

  /** One gather: what each rank contributed, and what all received. */
  record Round(int bytes, List<String> contributions, String all) {}

  static Stream<CoordinatorRecording> all() {
    try (InputStream in =
        CoordinatorRecording.class.getResourceAsStream("/jaccl/coordinator.json")) {
      List<CoordinatorRecording> recordings = new ArrayList<>();
      for (JsonNode one : new ObjectMapper().readTree(in).get("cases")) {
        recordings.add(of(one));
      }
      return recordings.stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static CoordinatorRecording named(String name) {
    return all().filter(recording -> recording.name.equals(name)).findFirst().orElseThrow();
  }

  private static CoordinatorRecording of(JsonNode node) {
    List<Round> rounds = new ArrayList<>();
    for (JsonNode round : node.get("gathers")) {
      rounds.add(
          new Round(
              round.get("bytes").asInt(),
              List.of(
                  round.get("rank0").asText(),
                  round.get("rank1_sends").asText(),
                  round.get("rank2_sends").asText()),
              round.get("both_receive").asText()));
    }
    JsonNode stream = node.get("stream");
    return new CoordinatorRecording(
        node.get("name").asText(),
        rounds,
        List.of("", stream.get("rank1_sends").asText(), stream.get("rank2_sends").asText()),
        stream.get("each_receives").asText());
  }

  /** What a rank sends before its first gather. */
  String hello(int rank) {
    return streams.get(rank).substring(0, 8);
  }

  @Override
  public String toString() {
    return name;
  }
}
