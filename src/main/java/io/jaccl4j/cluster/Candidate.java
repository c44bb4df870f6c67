package io.jaccl4j.cluster;

import io.jaccl4j.GroupSettings;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A member that wants a rank, as it describes itself.
 *
 * @param id its member
 * @param attempt which of this member's joins; a later one replaces an earlier one
 * @param host name of its machine
 * @param fabrics what it can use, the preferred one first
 * @param fixedRank the rank that it insists on
 * @param mustMatch what must be equal on all ranks: the settings' fingerprint, the library's
 *     version and the byte order
 * @param highestEpoch the highest epoch of this group that it took part in, 0 if none
 * @param refusals how many joins of this group on this member have been refused
 */
record Candidate(
    MemberId id,
    long attempt,
    String host,
    List<FabricOffer> fabrics,
    OptionalInt fixedRank,
    SortedMap<String, String> mustMatch,
    long highestEpoch,
    long refusals) {

  static Candidate of(
      MemberId id,
      long attempt,
      String host,
      List<FabricOffer> fabrics,
      GroupSettings settings,
      long highestEpoch,
      long refusals) {
    SortedMap<String, String> mustMatch = new TreeMap<>(settings.fingerprint());
    mustMatch.put("version of jaccl4j", libraryVersion());
    mustMatch.put("byte order", ByteOrder.nativeOrder().toString());
    return new Candidate(
        id, attempt, host, fabrics, settings.fixedRank(), mustMatch, highestEpoch, refusals);
  }

  private static String libraryVersion() {
    String version = Candidate.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
