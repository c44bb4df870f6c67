package io.jaccl4j.testing.emulated;

import java.util.ArrayList;
import java.util.List;

/**
 * What the ranks of a network posted and what was delivered, in order. For any thread; read it
 * while no operation runs.
 */
public final class NetworkLog {
  private final List<RecordedPost> posts = new ArrayList<>();
  private final List<RecordedMessage> messages = new ArrayList<>();

  synchronized void add(RecordedPost post) {
    posts.add(post);
  }

  synchronized void add(RecordedMessage message) {
    messages.add(message);
  }

  /** Forgets everything so far. */
  public synchronized void clear() {
    posts.clear();
    messages.clear();
  }

  /** Everything that a rank posted, in its order. */
  public synchronized List<RecordedPost> posts(int rank) {
    return posts.stream().filter(post -> post.rank() == rank).toList();
  }

  /** How many requests of a kind a rank posted. */
  public synchronized long posts(int rank, WorkKind kind) {
    return posts.stream().filter(post -> post.rank() == rank && post.kind() == kind).count();
  }

  /** Everything that was delivered; in order for each wire and direction. */
  public synchronized List<RecordedMessage> messages() {
    return List.copyOf(messages);
  }

  /** What a rank sent over a wire, in order. */
  public synchronized List<RecordedMessage> messages(int wire, int sender) {
    return messages.stream()
        .filter(message -> message.wire() == wire && message.sender() == sender)
        .toList();
  }

  /** Counts and lengths of what a rank sent over a wire. */
  public MessageRuns runs(int wire, int sender) {
    return MessageRuns.of(messages(wire, sender));
  }
}
