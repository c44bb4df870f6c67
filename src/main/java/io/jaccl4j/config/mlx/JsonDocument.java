package io.jaccl4j.config.mlx;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.jaccl4j.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a JSON document into items that know their place. */
final class JsonDocument {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String origin;
  private final JsonParser parser;

  private JsonDocument(String origin, JsonParser parser) {
    this.origin = origin;
    this.parser = parser;
  }

  /**
   * Reads a file.
   *
   * @param want what the file should hold, for the complaint about an empty one
   */
  static JsonItem read(Path file, String want) {
    return parse(content(file, want), file.toString(), want);
  }

  private static String content(Path file, String want) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException(file + ": there is no such file, want " + want, e);
    } catch (IOException e) {
      throw new ConfigurationException(file + ": cannot be read (" + e + "), want " + want, e);
    }
  }

  /**
   * Reads a text.
   *
   * @param origin what to call it in complaints
   */
  static JsonItem parse(String text, String origin, String want) {
    if (text.isBlank()) {
      throw new ConfigurationException(
          origin
              + ": empty, want "
              + want
              + " (mlx.launch writes an empty file where there is a single host, which is no group)");
    }
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonDocument document = new JsonDocument(origin, parser);
      JsonItem root = document.item(parser.nextToken());
      if (parser.nextToken() != null) {
        throw document.place(parser.currentTokenLocation()).error("more after the end of the JSON");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw new ConfigurationException(
          place(origin, e.getLocation()) + ": not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new ConfigurationException(origin + ": cannot be read (" + e + ")", e);
    }
  }

  private JsonItem item(JsonToken token) throws IOException {
    Place place = place(parser.currentTokenLocation());
    return switch (token) {
      case VALUE_STRING -> scalar(place, JsonItem.Kind.TEXT);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(place, JsonItem.Kind.NUMBER);
      case VALUE_TRUE, VALUE_FALSE -> scalar(place, JsonItem.Kind.BOOLEAN);
      case VALUE_NULL -> scalar(place, JsonItem.Kind.NULL);
      case START_ARRAY -> list(place);
      case START_OBJECT -> object(place);
      default -> throw place.error("not JSON: unexpected " + token);
    };
  }

  private JsonItem scalar(Place place, JsonItem.Kind kind) throws IOException {
    return new JsonItem(place, kind, parser.getText(), List.of(), Map.of());
  }

  private JsonItem list(Place place) throws IOException {
    List<JsonItem> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(item(token));
    }
    return new JsonItem(place, JsonItem.Kind.LIST, "", items, Map.of());
  }

  private JsonItem object(Place place) throws IOException {
    Map<String, JsonItem> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      members.put(name, item(parser.nextToken()));
    }
    return new JsonItem(place, JsonItem.Kind.OBJECT, "", List.of(), members);
  }

  private Place place(JsonLocation location) {
    return place(origin, location);
  }

  private static Place place(String origin, JsonLocation location) {
    return new Place(origin, location.getLineNr(), location.getColumnNr());
  }
}
