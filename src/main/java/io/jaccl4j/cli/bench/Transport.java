package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.sockets.Wiring;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One of several ways in which the same ranks are linked, whose operations are measured. */
public interface Transport extends AutoCloseable {

  /** Its name in results. */
  String label();

  /** How sockets of the same number join the ranks; empty if it does not use sockets. */
  Optional<Wiring> wiring();

  /** One line for people. */
  String describe();

  /** Runs something on the thread that drives its links. */
  <T> CompletionStage<T> run(Function<Session, T> function);

  @Override
  void close();

  /** Makes the transports of one rank, in the same order on every rank. */
  @FunctionalInterface
  interface Opener {

    /**
     * Links this rank to the others.
     *
     * @param session of ranks that are linked already, to exchange what is needed; all call it
     */
    Transport open(Session session) throws InterruptedException;
  }
}
