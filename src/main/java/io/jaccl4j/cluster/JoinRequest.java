package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.Engine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of {@code join}: what is wanted, who listens, the deadline, and the answer. */
final class JoinRequest {

  private static final Logger LOG = LoggerFactory.getLogger(JoinRequest.class);

  /** An answer that is so late can only mean that no actor is there to give it. */
  private static final long ANSWER_GRACE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final GroupSettings settings;
  private final String host;
  private final List<FabricOffer> fabrics;
  private final Consumer<GroupEvent> listener;
  private final MembershipRecord record;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final AtomicBoolean answered = new AtomicBoolean();
  private final CompletableFuture<Group> answer = new CompletableFuture<>();

  JoinRequest(
      GroupSettings settings,
      String host,
      List<FabricOffer> fabrics,
      Consumer<GroupEvent> listener,
      MembershipRecord record,
      LongSupplier nanoClock) {
    this.settings = settings;
    this.host = host;
    this.fabrics = fabrics;
    this.listener = listener;
    this.record = record;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  GroupSettings settings() {
    return settings;
  }

  String group() {
    return settings.name();
  }

  /** Name of this machine. */
  String host() {
    return host;
  }

  List<FabricOffer> fabrics() {
    return fabrics;
  }

  long elapsedNanos() {
    return nanoClock.getAsLong() - startNanos;
  }

  /** What is left of the deadline; not positive once it has passed. */
  long remainingNanos() {
    return settings.formationTimeout().toNanos() - elapsedNanos();
  }

  /** The engine of this join, once there is one. */
  void served(Engine engine) {
    record.served(engine);
  }

  /** Tells the listener. One that throws does not harm the group. */
  void emit(GroupEvent event) {
    record.heard(event);
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      LOG.warn("[{}] The listener of this group threw at [{}]", group(), event, e);
    }
  }

  /** Completes the answer, not on the caller's thread: dependent stages may block. */
  void succeed(Group group) {
    if (answered.compareAndSet(false, true)) {
      record.formed(group);
      answer.completeAsync(() -> group);
    }
  }

  /** Fails the answer, not on the caller's thread. No effect after an earlier answer. */
  void fail(FormationException failure) {
    if (answered.compareAndSet(false, true)) {
      record.notFormed(failure);
      CompletableFuture.runAsync(() -> answer.completeExceptionally(failure));
    }
  }

  boolean isAnswered() {
    return answered.get();
  }

  /** The answer, which comes even if the actors are gone. */
  CompletionStage<Group> answer() {
    CompletableFuture<Void> overdue =
        new CompletableFuture<Void>()
            .completeOnTimeout(
                null, Math.max(0, remainingNanos()) + ANSWER_GRACE_NANOS, TimeUnit.NANOSECONDS);
    overdue.thenRun(() -> answer.completeExceptionally(unanswered()));
    // Or the timer would hold this request, and the group, for all that time.
    answer.whenComplete((group, failure) -> overdue.cancel(false));
    return answer.minimalCompletionStage();
  }

  private FormationException unanswered() {
    return new FormationException(
        FormationException.Reason.STOPPED,
        "group [%s]: no answer from the actor /system/%s; has the actor system stopped?"
            .formatted(group(), JacclGuardian.NAME));
  }
}
