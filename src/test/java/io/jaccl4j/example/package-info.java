/**
 * An application as users write it: typed actors that train a small model data-parallel, one rank
 * per process, and go on when a rank is killed and replaced. {@link
 * io.jaccl4j.example.TrainingExample} runs all of it on this machine and draws the loss.
 */
package io.jaccl4j.example;
