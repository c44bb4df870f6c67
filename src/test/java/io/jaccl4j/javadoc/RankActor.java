package io.jaccl4j.javadoc;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.cluster.Collectives;
import io.jaccl4j.cluster.JacclExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** For {@link JacclExtension} and {@link Collectives}: an actor that becomes a rank and sums. */
final class RankActor {
  private final ActorContext<Command> context;
  private final int own;
  private final ActorRef<String> listener;

  sealed interface Command {}

  record Joined(Group group) implements Command {}

  record NotJoined(Throwable failure) implements Command {}

  record Summed(Collectives.Reply reply, MemorySegment sum) implements Command {}

  private RankActor(ActorContext<Command> context, int own, ActorRef<String> listener) {
    this.context = context;
    this.own = own;
    this.listener = listener;
  }

  static Behavior<Command> create(String name, int size, int own, ActorRef<String> listener) {
    return Behaviors.setup(context -> new RankActor(context, own, listener).joining(name, size));
  }

  private Behavior<Command> joining(String name, int size) {
    // @start region="join"
    JacclExtension jaccl = JacclExtension.get(context.getSystem());
    // Returns at once; the answer comes as a message, since an actor never waits.
    context.pipeToSelf(
        jaccl.join(jaccl.settings(name, size)),
        (group, failure) -> failure == null ? new Joined(group) : new NotJoined(failure));
    // @end
    return Behaviors.receive(Command.class)
        .onMessage(Joined.class, joined -> summing(joined.group()))
        .onMessage(
            NotJoined.class,
            notJoined -> {
              listener.tell(notJoined.failure().getMessage());
              return Behaviors.stopped();
            })
        .build();
  }

  private Behavior<Command> summing(Group group) {
    // @start region="collectives"
    ActorRef<Collectives.Command> collectives =
        context.spawn(Collectives.create(group), "collectives");
    // Shared, since the group's own thread reads and writes it until the reply.
    MemorySegment cell = Arena.ofShared().allocateFrom(ValueLayout.JAVA_INT, own);
    ActorRef<Collectives.Reply> replyTo =
        context.messageAdapter(Collectives.Reply.class, reply -> new Summed(reply, cell));
    collectives.tell(new Collectives.AllSum(cell, cell, Dtype.INT32, replyTo));
    // @end
    return Behaviors.receive(Command.class)
        .onMessage(
            Summed.class,
            summed -> {
              listener.tell(
                  switch (summed.reply()) {
                    case Collectives.Completed done ->
                        "sum " + summed.sum().get(ValueLayout.JAVA_INT, 0);
                    case Collectives.Failed failed -> failed.cause().getMessage();
                  });
              return Behaviors.stopped();
            })
        .onSignal(
            PostStop.class,
            stop -> {
              // Does not wait here for the group's thread to end.
              Thread.ofVirtual().start(group::close);
              return Behaviors.same();
            })
        .build();
  }
}
