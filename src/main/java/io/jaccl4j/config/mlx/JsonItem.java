package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import java.util.List;
import java.util.Map;

/**
 * A value of a JSON document that knows where it stands.
 *
 * @param place of its first character
 * @param kind what it is
 * @param text of a text
 * @param items of a list
 * @param members of an object, in the order of the document
 */
record JsonItem(
    Place place, Kind kind, String text, List<JsonItem> items, Map<String, JsonItem> members) {

  enum Kind {
    TEXT("text"),
    NUMBER("a number"),
    BOOLEAN("a boolean"),
    NULL("null"),
    LIST("a list"),
    OBJECT("an object");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }

  /**
   * The text.
   *
   * @param subject what the value is about
   * @param want what is wanted there
   */
  String asText(String subject, String want) {
    require(Kind.TEXT, subject, want);
    return text;
  }

  List<JsonItem> asList(String subject, String want) {
    require(Kind.LIST, subject, want);
    return items;
  }

  Map<String, JsonItem> asObject(String subject, String want) {
    require(Kind.OBJECT, subject, want);
    return members;
  }

  ConfigurationException unwanted(String subject, String want) {
    return error(subject + " is " + kind.label + ", want " + want);
  }

  ConfigurationException error(String complaint) {
    return place.error(complaint);
  }

  private void require(Kind wanted, String subject, String want) {
    if (kind != wanted) {
      throw unwanted(subject, want);
    }
  }
}
