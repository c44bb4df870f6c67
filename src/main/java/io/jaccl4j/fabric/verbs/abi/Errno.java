package io.jaccl4j.fabric.verbs.abi;

import java.util.Map;

/** Names of error numbers, which differ between systems from 35 up. */
public final class Errno {
  public static final int ENOENT = 2;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;

  private static final Map<Integer, String> COMMON =
      Map.ofEntries(
          Map.entry(1, "EPERM"),
          Map.entry(2, "ENOENT"),
          Map.entry(3, "ESRCH"),
          Map.entry(4, "EINTR"),
          Map.entry(5, "EIO"),
          Map.entry(6, "ENXIO"),
          Map.entry(7, "E2BIG"),
          Map.entry(9, "EBADF"),
          Map.entry(12, "ENOMEM"),
          Map.entry(13, "EACCES"),
          Map.entry(14, "EFAULT"),
          Map.entry(16, "EBUSY"),
          Map.entry(17, "EEXIST"),
          Map.entry(19, "ENODEV"),
          Map.entry(22, "EINVAL"),
          Map.entry(23, "ENFILE"),
          Map.entry(24, "EMFILE"),
          Map.entry(28, "ENOSPC"),
          Map.entry(34, "ERANGE"));

  private static final Map<Integer, String> LINUX =
      Map.ofEntries(
          Map.entry(11, "EAGAIN"),
          Map.entry(35, "EDEADLK"),
          Map.entry(38, "ENOSYS"),
          Map.entry(61, "ENODATA"),
          Map.entry(71, "EPROTO"),
          Map.entry(90, "EMSGSIZE"),
          Map.entry(93, "EPROTONOSUPPORT"),
          Map.entry(95, "EOPNOTSUPP"),
          Map.entry(97, "EAFNOSUPPORT"),
          Map.entry(98, "EADDRINUSE"),
          Map.entry(99, "EADDRNOTAVAIL"),
          Map.entry(100, "ENETDOWN"),
          Map.entry(101, "ENETUNREACH"),
          Map.entry(104, "ECONNRESET"),
          Map.entry(105, "ENOBUFS"),
          Map.entry(107, "ENOTCONN"),
          Map.entry(110, "ETIMEDOUT"),
          Map.entry(111, "ECONNREFUSED"),
          Map.entry(112, "EHOSTDOWN"),
          Map.entry(113, "EHOSTUNREACH"));

  private static final Map<Integer, String> DARWIN =
      Map.ofEntries(
          Map.entry(11, "EDEADLK"),
          Map.entry(35, "EAGAIN"),
          Map.entry(40, "EMSGSIZE"),
          Map.entry(43, "EPROTONOSUPPORT"),
          Map.entry(45, "ENOTSUP"),
          Map.entry(47, "EAFNOSUPPORT"),
          Map.entry(48, "EADDRINUSE"),
          Map.entry(49, "EADDRNOTAVAIL"),
          Map.entry(50, "ENETDOWN"),
          Map.entry(51, "ENETUNREACH"),
          Map.entry(54, "ECONNRESET"),
          Map.entry(55, "ENOBUFS"),
          Map.entry(57, "ENOTCONN"),
          Map.entry(60, "ETIMEDOUT"),
          Map.entry(61, "ECONNREFUSED"),
          Map.entry(64, "EHOSTDOWN"),
          Map.entry(65, "EHOSTUNREACH"),
          Map.entry(78, "ENOSYS"),
          Map.entry(96, "ENODATA"),
          Map.entry(100, "EPROTO"),
          Map.entry(102, "EOPNOTSUPP"));

  private Errno() {}

  /** Whether it is how this system says that there is no such call, and so no such thing. */
  public static boolean isNoSuchCall(int errno) {
    return name(errno, OperatingSystem.current()).equals("ENOSYS");
  }

  /** For an error: the number, and its name on this system. */
  public static String describe(int errno) {
    return describe(errno, OperatingSystem.current());
  }

  public static String describe(int errno, OperatingSystem system) {
    return "errno " + errno + " (" + name(errno, system) + ")";
  }

  private static String name(int errno, OperatingSystem system) {
    String common = COMMON.get(errno);
    if (common != null) {
      return common;
    }
    return switch (system) {
      case LINUX -> LINUX.getOrDefault(errno, "unknown on Linux");
      case DARWIN -> DARWIN.getOrDefault(errno, "unknown on macOS");
    };
  }
}
