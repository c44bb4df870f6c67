package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import io.jaccl4j.cli.demo.DemoJob;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.config.SettingsReader;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One rank in a cluster of one. */
@Timeout(90)
class RankLifeTest {
  private static final Duration WORK = Duration.ofSeconds(30);

  private final List<RankMessage> messages = new CopyOnWriteArrayList<>();

  @Test
  void shouldTellItsLifeInOrder() throws Exception {
    assertThat(life(1).work(List.of((rank, size, groups) -> DemoJob.prepare(rank, size)), WORK))
        .isEqualTo(ExitCode.OK);
    assertThat(messages)
        .hasAtLeastOneElementOfType(RankMessage.MemberUp.class)
        .contains(new RankMessage.Finished(0));
    assertThat(messages.getFirst())
        .isInstanceOfSatisfying(
            RankMessage.Listening.class,
            listening -> assertThat(listening.address()).startsWith("pekko://jaccl4j@127.0.0.1:"));
    List<Class<?>> milestones =
        messages.stream()
            .filter(message -> message instanceof RankMessage.Event)
            .<Class<?>>map(message -> ((RankMessage.Event) message).event().getClass())
            .toList();
    assertThat(milestones)
        .containsSubsequence(
            GroupEvent.RanksAssigned.class, GroupEvent.LinksUp.class, GroupEvent.Ready.class);
    assertThat(messages.stream().filter(m -> m instanceof RankMessage.StepDone)).hasSize(4);
  }

  @Test
  void shouldFailWhenACheckFails() throws Exception {
    RankJob wrong =
        (session, report) ->
            report.accept(
                new StepResult(
                    "t",
                    List.of("h"),
                    List.of(
                        new StepResult.Row(
                            List.of("c"), List.of(Check.exact("a", 1, 1), Check.exact("b", 1, 2)))),
                    ""));
    assertThat(life(1).work(List.of((rank, size, groups) -> wrong), WORK))
        .isEqualTo(ExitCode.FAILED);
    assertThat(messages).contains(new RankMessage.Finished(1));
  }

  @Test
  void shouldRunAJobOnAThreadOfItsOwn() throws Exception {
    RankJob handingOver =
        new RankJob() {
          @Override
          public Place place() {
            return Place.OWN_THREAD;
          }

          @Override
          public void run(Session session, Consumer<StepResult> report) {
            session.barrier();
            throw new IllegalStateException(
                (session instanceof Group) + " on " + Thread.currentThread().getName());
          }
        };
    assertThat(life(1).work(List.of((rank, size, groups) -> handingOver), WORK))
        .isEqualTo(ExitCode.FAILED);
    assertThat(messages)
        .contains(
            new RankMessage.Failed(
                ExitCode.FAILED, "java.lang.IllegalStateException: true on rank-job"));
  }

  @Test
  void shouldGiveTheReasonWhenTheJobThrows() throws Exception {
    RankJob broken =
        (session, report) -> {
          throw new IllegalStateException("out of luck");
        };
    assertThat(life(1).work(List.of((rank, size, groups) -> broken), WORK))
        .isEqualTo(ExitCode.FAILED);
    assertThat(messages)
        .contains(
            new RankMessage.Failed(
                ExitCode.FAILED, "java.lang.IllegalStateException: out of luck"));
  }

  @Test
  void shouldReportAGroupThatDoesNotForm() throws Exception {
    assertThat(life(2).work(List.of((rank, size, groups) -> DemoJob.prepare(rank, size)), WORK))
        .isEqualTo(ExitCode.NOT_FORMED);
    assertThat(messages)
        .filteredOn(message -> message instanceof RankMessage.Failed)
        .singleElement()
        .isInstanceOfSatisfying(
            RankMessage.Failed.class,
            failed -> {
              assertThat(failed.exitCode()).isEqualTo(ExitCode.NOT_FORMED);
              assertThat(failed.reason()).startsWith("no group (");
            });
  }

  @Test
  void shouldLoadTheSampleConfiguration() {
    Config sample = ConfigFactory.load(ConfigFactory.parseFile(new File("conf/demo-rank.conf")));
    assertThat(sample.getInt("jaccl4j.group.size")).isEqualTo(2);
    assertThat(sample.getStringList("pekko.cluster.seed-nodes"))
        .first()
        .isEqualTo(
            "pekko://"
                + ClusterMember.SYSTEM_NAME
                + "@"
                + sample.getString("pekko.remote.artery.canonical.hostname")
                + ":"
                + sample.getInt("pekko.remote.artery.canonical.port"));
  }

  @Test
  void shouldLoadTheSampleConfigurationForRdma() {
    Config sample =
        ConfigFactory.load(
            ConfigFactory.parseMap(Map.of("SEED", "10.0.0.1", "HOST", "10.0.0.2"))
                .withFallback(ConfigFactory.parseFile(new File("conf/roce-rank.conf"))));
    GroupSettings settings = SettingsReader.read(sample);
    assertThat(settings.fabric()).isEqualTo("verbs");
    assertThat(settings.verbs().devices()).containsExactly("mlx5_0");
    assertThat(sample.getStringList("pekko.cluster.seed-nodes"))
        .containsExactly("pekko://jaccl4j@10.0.0.1:25521");
    assertThat(sample.getString("pekko.remote.artery.canonical.hostname")).isEqualTo("10.0.0.2");
  }

  private RankLife life(int size) {
    Config group =
        ConfigFactory.parseMap(Map.of("jaccl4j.group.name", "test", "jaccl4j.group.size", size));
    Config config =
        ConfigFactory.load(
            group
                .withFallback(ConfigFactory.parseResources("io/jaccl4j/cli/demo.conf"))
                .withFallback(ConfigFactory.parseResources("application.conf")));
    return new RankLife(
        config,
        settings -> settings.withFormationTimeout(Duration.ofSeconds(5)),
        (member, settings) -> member.join(member.address()),
        messages::add);
  }
}
