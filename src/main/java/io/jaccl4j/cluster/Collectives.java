package io.jaccl4j.cluster;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A group's operations for actors: each command is submitted in the order of its arrival and
 * answered when it is complete on this rank. The actor never waits.
 *
 * <p>Local only: buffers are memory of this process, so commands cannot leave it. The actor does
 * not own the group; when the group has failed or is closed, commands are answered with {@link
 * Failed}. Buffers belong to the operation until the reply.
 *
 * {@snippet file="io/jaccl4j/javadoc/RankActor.java" region="collectives"}
 */
public final class Collectives {

  private final Group group;
  private final ActorContext<Command> actor;

  private Collectives(Group group, ActorContext<Command> actor) {
    this.group = group;
    this.actor = actor;
  }

  /** The operations of one rank, as {@link io.jaccl4j.Session} describes them. */
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /**
   * {@link Group#allSum}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @param replyTo told when it is complete, or what it failed with
   */
  public record AllSum(
      MemorySegment in, MemorySegment out, Dtype dtype, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#allMax}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @param replyTo told when it is complete, or what it failed with
   */
  public record AllMax(
      MemorySegment in, MemorySegment out, Dtype dtype, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#allMin}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @param replyTo told when it is complete, or what it failed with
   */
  public record AllMin(
      MemorySegment in, MemorySegment out, Dtype dtype, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#allGather}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param replyTo told when it is complete, or what it failed with
   */
  public record AllGather(MemorySegment in, MemorySegment out, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#sumScatter}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @param replyTo told when it is complete, or what it failed with
   */
  public record SumScatter(
      MemorySegment in, MemorySegment out, Dtype dtype, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#send}.
   *
   * @param data the bytes
   * @param peer the other rank
   * @param replyTo told when it is complete, or what it failed with
   */
  public record Send(MemorySegment data, int peer, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#recv}.
   *
   * @param data the bytes
   * @param peer the other rank
   * @param replyTo told when it is complete, or what it failed with
   */
  public record Receive(MemorySegment data, int peer, ActorRef<? super Reply> replyTo)
      implements Command {}

  /**
   * {@link Group#barrier}.
   *
   * @param replyTo told when it is complete, or what it failed with
   */
  public record Barrier(ActorRef<? super Reply> replyTo) implements Command {}

  private record Finished(Reply reply, ActorRef<? super Reply> replyTo) implements Command {}

  /** The end of an operation on this rank. */
  public sealed interface Reply extends NoSerializationVerificationNeeded {}

  /** The operation is complete; its buffers are the caller's again. */
  public enum Completed implements Reply {
    /** The only one. */
    INSTANCE
  }

  /**
   * The operation failed.
   *
   * @param cause what the group's blocking form would have thrown
   */
  public record Failed(Throwable cause) implements Reply {}

  /**
   * {@return an actor in front of a group}
   *
   * @param group the group, which stays the caller's to close
   */
  public static Behavior<Command> create(Group group) {
    return Behaviors.setup(
        actor -> {
          Collectives collectives = new Collectives(group, actor);
          return Behaviors.receive(Command.class).onAnyMessage(collectives::onCommand).build();
        });
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case AllSum c -> answer(group.allSumAsync(c.in(), c.out(), c.dtype()), c.replyTo());
      case AllMax c -> answer(group.allMaxAsync(c.in(), c.out(), c.dtype()), c.replyTo());
      case AllMin c -> answer(group.allMinAsync(c.in(), c.out(), c.dtype()), c.replyTo());
      case AllGather c -> answer(group.allGatherAsync(c.in(), c.out()), c.replyTo());
      case SumScatter c -> answer(group.sumScatterAsync(c.in(), c.out(), c.dtype()), c.replyTo());
      case Send c -> answer(group.sendAsync(c.data(), c.peer()), c.replyTo());
      case Receive c -> answer(group.recvAsync(c.data(), c.peer()), c.replyTo());
      case Barrier c -> answer(group.barrierAsync(), c.replyTo());
      case Finished f -> f.replyTo().tell(f.reply());
    }
    return Behaviors.same();
  }

  private void answer(CompletionStage<Void> operation, ActorRef<? super Reply> replyTo) {
    actor.pipeToSelf(
        operation,
        (nothing, failure) ->
            new Finished(
                failure == null ? Completed.INSTANCE : new Failed(unwrapped(failure)), replyTo));
  }

  /** Dependent stages wrap what their source failed with. */
  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
