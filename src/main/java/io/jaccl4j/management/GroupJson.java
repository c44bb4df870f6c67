package io.jaccl4j.management;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cluster.Membership;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Groups as a JSON document. Every key is always there; what is not known yet is null or empty.
 *
 * <pre>{@code
 * {"member": "pekko://...", "groups": [{
 *   "name": "demo", "stage": "READY", "size": 2, "formationNanos": 1, "candidates": ["pekko://..."],
 *   "epoch": 1, "rank": 0,
 *   "members": [{"rank": 0, "address": "pekko://...", "incarnation": 1, "host": "a"}],
 *   "links": {"fabric": "shm", "count": 1, "description": "..."},
 *   "counters": {"operations": 0, "messagesSent": 0, "bytesSent": 0, "messagesReceived": 0,
 *     "bytesReceived": 0},
 *   "engineAlive": true,
 *   "failure": {"kind": "PEER_LOST", "rank": 1, "address": "...", "reportedBy": 0, "detail": "..."}
 * }]}
 * }</pre>
 */
final class GroupJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;

  private GroupJson(JsonGenerator json) {
    this.json = json;
  }

  /** UTF-8. */
  static byte[] render(String member, List<Membership> memberships) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
      new GroupJson(generator).document(member, memberships);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private void document(String member, List<Membership> memberships) throws IOException {
    json.writeStartObject();
    json.writeStringField("member", member);
    json.writeArrayFieldStart("groups");
    for (Membership membership : memberships) {
      group(membership);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void group(Membership membership) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", membership.group());
    json.writeStringField("stage", membership.stage().name());
    json.writeNumberField("size", membership.size());
    json.writeNumberField("formationNanos", membership.waitedNanos());
    json.writeArrayFieldStart("candidates");
    for (String candidate : membership.candidates()) {
      json.writeString(candidate);
    }
    json.writeEndArray();
    ranks(membership.ranks().orElse(null));
    links(membership.links().orElse(null));
    counters(membership.counters().orElse(null));
    json.writeBooleanField("engineAlive", membership.engineAlive());
    failure(membership.failure().orElse(null));
    json.writeEndObject();
  }

  private void ranks(GroupEvent.RanksAssigned ranks) throws IOException {
    if (ranks == null) {
      json.writeNullField("epoch");
      json.writeNullField("rank");
    } else {
      json.writeNumberField("epoch", ranks.epoch());
      json.writeNumberField("rank", ranks.rank());
    }
    json.writeArrayFieldStart("members");
    for (GroupMember member : ranks == null ? List.<GroupMember>of() : ranks.members()) {
      json.writeStartObject();
      json.writeNumberField("rank", member.rank());
      json.writeStringField("address", member.address());
      json.writeNumberField("incarnation", member.incarnation());
      json.writeStringField("host", member.host());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void links(GroupEvent.LinksUp links) throws IOException {
    if (links == null) {
      json.writeNullField("links");
      return;
    }
    json.writeObjectFieldStart("links");
    json.writeStringField("fabric", links.fabric());
    json.writeNumberField("count", links.links());
    json.writeStringField("description", links.description());
    json.writeEndObject();
  }

  private void counters(GroupCounters counters) throws IOException {
    if (counters == null) {
      json.writeNullField("counters");
      return;
    }
    json.writeObjectFieldStart("counters");
    json.writeNumberField("operations", counters.operations());
    json.writeNumberField("messagesSent", counters.messagesSent());
    json.writeNumberField("bytesSent", counters.bytesSent());
    json.writeNumberField("messagesReceived", counters.messagesReceived());
    json.writeNumberField("bytesReceived", counters.bytesReceived());
    json.writeEndObject();
  }

  private void failure(GroupFailure failure) throws IOException {
    if (failure == null) {
      json.writeNullField("failure");
      return;
    }
    json.writeObjectFieldStart("failure");
    json.writeStringField("kind", failure.kind().name());
    json.writeNumberField("rank", failure.rank());
    json.writeStringField("address", failure.address());
    json.writeNumberField("reportedBy", failure.reportedBy());
    json.writeStringField("detail", failure.detail());
    json.writeEndObject();
  }
}
