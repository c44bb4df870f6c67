package io.jaccl4j.cluster;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The metadata exchange of one formation: joins the engine thread's all-gather calls to the rounds
 * that run over messages. Owned by the group's actor.
 */
final class SideChannel {

  private final JoinContext join;
  private final Proposal proposal;
  private final String where;
  private final GatherExchange exchange;
  private final PekkoAllGather allGather;

  /** The call that waits, or null. */
  private GroupActor.Contribute waiting;

  SideChannel(JoinContext join, Proposal proposal, Causes causes) {
    this.join = join;
    this.proposal = proposal;
    this.where = causes.where();
    this.exchange =
        new GatherExchange(
            join.group(),
            join.id(),
            proposal.token(),
            proposal.rankOf(join.id()).orElseThrow(),
            proposal.seats().size(),
            join.settings().sideChannel().partBytes(),
            (peer, message) -> join.send(proposal.idOf(peer), message));
    this.allGather =
        new PekkoAllGather(
            where, join.settings().sideChannel().maxContributionBytes(), join.actor().getSelf());
  }

  /** What the engine thread calls. */
  AllGather allGather() {
    return allGather;
  }

  /** The rounds, which outlive the engine. */
  GatherExchange exchange() {
    return exchange;
  }

  void onContribute(GroupActor.Contribute call) {
    waiting = call;
    int round = exchange.begin(call.contribution());
    join.timers()
        .startSingleTimer(
            exchange,
            new GroupActor.RoundOverdue(round),
            Duration.ofNanos(Math.max(1, call.timeoutNanos())));
    answer();
  }

  void onPart(RemoteMessage.Part part) {
    exchange.onPart(part);
    answer();
  }

  void onPull(RemoteMessage.Pull pull) {
    exchange.onPull(pull);
  }

  void onTick() {
    exchange.onTick();
  }

  void onOverdue(int round) {
    if (waiting == null || round != exchange.round()) {
      return;
    }
    String missing =
        exchange.missingRanks().stream()
            .map(peer -> proposal.members().get(peer).toString())
            .collect(Collectors.joining(", "));
    fail(
        new FormationException(
            Reason.TIMEOUT,
            "%s: metadata exchange, round %d: nothing complete after %s from %s; see the log there"
                .formatted(
                    where,
                    round,
                    Durations.text(Duration.ofNanos(waiting.timeoutNanos())),
                    missing)));
  }

  /** Ends the call that waits, and all later ones. */
  void fail(FormationException cause) {
    allGather.fail(cause);
    waiting = null;
  }

  private void answer() {
    if (waiting == null) {
      return;
    }
    CompletableFuture<List<byte[]>> result = waiting.result();
    exchange
        .takeResult()
        .ifPresent(
            contributions -> {
              join.timers().cancel(exchange);
              waiting = null;
              result.complete(contributions);
            });
  }
}
