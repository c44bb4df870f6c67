package io.jaccl4j.testkit;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Forms the group of a {@link JacclTest} when the method asks for it, and closes it afterwards. */
final class JacclTestExtension implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(JacclTestExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestGroup.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            TestGroup.class,
            key -> TestGroup.form(context.getRequiredTestMethod().getAnnotation(JacclTest.class)),
            TestGroup.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestGroup group = context.getStore(NAMESPACE).remove(TestGroup.class, TestGroup.class);
    if (group != null) {
      group.close();
    }
  }
}
