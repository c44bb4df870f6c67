package io.jaccl4j.cli.launch;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Where the ranks' input comes from and their output goes. Unlike the streams of {@link System}, an
 * output tells when nobody reads it any more.
 */
public record StandardStreams(InputStream in, OutputStream out, OutputStream err) {

  /** Those of this process. */
  public static StandardStreams ofProcess() {
    return new StandardStreams(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err));
  }
}
