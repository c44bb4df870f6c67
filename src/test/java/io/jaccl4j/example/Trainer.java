package io.jaccl4j.example;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * One rank of the training. It joins the group, takes the state that rank 0 has, and then makes
 * step after step: its own points' gradient, the sum over all ranks, the same change of the
 * parameters everywhere. It never blocks: every operation comes back as a message. When one fails,
 * it leaves the failed group and joins again.
 */
final class Trainer {
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final int STEPS_PER_CHECKPOINT = 50;
  private static final int STEPS_PER_REPORT = 10;

  /** What the actor is told. */
  sealed interface Command {}

  record Joined(Group group) implements Command {}

  record Failed(Throwable cause) implements Command {}

  enum Synchronised implements Command {
    INSTANCE
  }

  enum NextStep implements Command {
    INSTANCE
  }

  enum Summed implements Command {
    INSTANCE
  }

  enum AllThere implements Command {
    INSTANCE
  }

  enum Left implements Command {
    INSTANCE
  }

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final GroupSettings settings;
  private final Checkpoint checkpoint;
  private final int steps;
  private final Consumer<String> report;

  private Group group;
  private List<TrainingData.Point> points;

  /** The parameters, and behind them the number of the next step. */
  private MemorySegment state;

  private MemorySegment gradient;
  private boolean finished;

  private Trainer(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      GroupSettings settings,
      Checkpoint checkpoint,
      int steps,
      Consumer<String> report) {
    this.context = context;
    this.timers = timers;
    this.settings = settings;
    this.checkpoint = checkpoint;
    this.steps = steps;
    this.report = report;
  }

  /**
   * Trains from joining to the last step.
   *
   * @param report told one line of what happens
   */
  static Behavior<Command> create(
      GroupSettings settings, Checkpoint checkpoint, int steps, Consumer<String> report) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  Trainer trainer =
                      new Trainer(context, timers, settings, checkpoint, steps, report);
                  trainer.join();
                  return Behaviors.receive(Command.class).onAnyMessage(trainer::onCommand).build();
                }));
  }

  private void join() {
    context.pipeToSelf(
        JacclExtension.get(context.getSystem()).join(settings),
        (joined, failure) -> failure == null ? new Joined(joined) : new Failed(failure));
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Joined joined -> onJoined(joined.group());
      case Synchronised s -> next();
      case NextStep n -> step();
      case Summed s -> onSummed();
      case AllThere a -> leave(true);
      case Failed failed -> onFailed(failed.cause());
      case Left l -> {
        if (finished) {
          report.accept("done");
          return Behaviors.stopped();
        }
        join();
      }
    }
    return Behaviors.same();
  }

  private void onJoined(Group joined) {
    group = joined;
    points = TrainingData.share(group.rank(), group.size());
    state = group.allocate((Model.PARAMETERS + 1L) * Float.BYTES);
    gradient = group.allocate((long) Model.GRADIENT_VALUES * Float.BYTES);
    report.accept("ready " + group.rank() + " " + group.epoch());
    if (group.rank() == 0 && !checkpoint.load(state)) {
      Model.initialise(state);
    }
    tell(group.broadcastAsync(state, 0), Synchronised.INSTANCE);
  }

  private int stepNumber() {
    return (int) Model.get(state, Model.PARAMETERS);
  }

  private void next() {
    if (stepNumber() >= steps) {
      tell(group.barrierAsync(), AllThere.INSTANCE);
    } else {
      timers.startSingleTimer(NextStep.INSTANCE, PAUSE);
    }
  }

  private void step() {
    Model.gradient(state, points, gradient);
    tell(group.allSumAsync(gradient, gradient, Dtype.FLOAT32), Summed.INSTANCE);
  }

  private void onSummed() {
    int step = stepNumber();
    Model.apply(state, gradient);
    Model.set(state, Model.PARAMETERS, step + 1);
    if (group.rank() == 0) {
      if (step % STEPS_PER_REPORT == 0 || step == steps - 1) {
        report.accept(
            String.format(
                Locale.ROOT, "loss %d %d %.6f", step, group.epoch(), Model.loss(gradient)));
      }
      if ((step + 1) % STEPS_PER_CHECKPOINT == 0) {
        checkpoint.save(state);
      }
    }
    next();
  }

  private void onFailed(Throwable cause) {
    report.accept("failed " + cause.getMessage());
    timers.cancelAll();
    leave(false);
  }

  /** Closing waits for the engine thread: not here. */
  private void leave(boolean atTheEnd) {
    finished = atTheEnd;
    Group leaving = group;
    group = null;
    CompletionStage<Void> left =
        leaving == null
            ? CompletableFuture.completedStage(null)
            : CompletableFuture.runAsync(leaving::close);
    context.pipeToSelf(left, (closed, failure) -> Left.INSTANCE);
  }

  private void tell(CompletionStage<Void> operation, Command success) {
    context.pipeToSelf(
        operation, (nothing, failure) -> failure == null ? success : new Failed(failure));
  }
}
