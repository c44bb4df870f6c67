package io.jaccl4j.config.mlx;

/**
 * One value of the effective configuration, for people.
 *
 * @param name what it is
 * @param value as it is set; a secret is only said to be set
 * @param source where it was set, and what it overrides
 */
public record EffectiveValue(String name, String value, String source) {}
