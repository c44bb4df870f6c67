package io.jaccl4j.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One rank as a process. Reads commands from stdin, one a line with a number in front, and answers
 * each with one line on stdout; commands run at the same time, so that one can be asked about
 * another. Its first word, numbered 0, is its address. End of file ends it in good order.
 */
public final class RankMain {

  private RankMain() {}

  /** Takes the configuration as its only argument. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    // Whatever logs, logs to stderr.
    System.setOut(System.err);
    Config config =
        ConfigFactory.parseString(arguments[0]).withFallback(ConfigFactory.load()).resolve();
    RankCommands rank = new RankCommands(config);
    answer(answers, Answer.ok(0, Map.of("address", rank.address())));

    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      String[] words = line.split(" ");
      Thread.ofVirtual().start(() -> answer(answers, rank.execute(words)));
    }
    System.exit(0);
  }

  private static void answer(PrintStream answers, Answer answer) {
    synchronized (answers) {
      answers.println(answer.encode());
      answers.flush();
    }
  }
}
