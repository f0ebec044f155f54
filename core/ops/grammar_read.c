/* SPDX-License-Identifier: MIT
 *
 * grammar_read.c: the text of a grammar to its tree, by recursive descent:
 *
 *   sequence = item { "," item }
 *   item     = atom [ count | "*" | "+" ]
 *   atom     = symbol | "[" sequence "]" | "{" item [":" weight] { "," ... } "}"
 *            | "<" item { "," item } ">"
 */
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/grammar.h"

/* A count or a weight of four digits is past any wall. */
enum { NUMBER_MAX = 9999 };

typedef struct grammar_reader {
    loam_text text;
    size_t at;
    uint32_t depth;
    grammar *to;
    const char *pointer;
    loam_error *error;
} grammar_reader;

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte == '-';
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

bool grammar_is_symbol(loam_text text) {
    bool symbol = text.size > 0 && text.size <= NAME_BYTES_MAX;
    for (size_t i = 0; i < text.size && symbol; i++) {
        symbol = is_letter(text.bytes[i]);
    }
    return symbol;
}

/* The next byte that is no space; 0 at the end. */
static char peek(grammar_reader *reader) {
    while (reader->at < reader->text.size && reader->text.bytes[reader->at] == ' ') {
        reader->at++;
    }
    return reader->at < reader->text.size ? reader->text.bytes[reader->at] : 0;
}

static loam_status refuse(const grammar_reader *reader, size_t at, const char *what) {
    return loam_fail(reader->error, LOAM_MALFORMED, reader->pointer, "byte %u of the grammar: %s",
                     (unsigned)at, what);
}

static loam_status refuse_next(grammar_reader *reader) {
    char byte = peek(reader);
    if (byte == 0) {
        return refuse(reader, reader->at, "it ends where a module is wanted");
    }
    return loam_fail(reader->error, LOAM_MALFORMED, reader->pointer,
                     "byte %u of the grammar: '%.1s' cannot stand here", (unsigned)reader->at,
                     reader->text.bytes + reader->at);
}

/* Every element has a byte of its own in the text, or stands around one that has. */
static loam_status take_element(grammar_reader *reader, grammar_kind kind, size_t at,
                                uint32_t *taken) {
    if (reader->to->count >= GRAMMAR_ELEMENTS_MAX) {
        return refuse(reader, at, "it has too many parts");
    }
    *taken = reader->to->count++;
    reader->to->elements[*taken] = (grammar_element){
        .kind = kind, .child = GRAMMAR_NONE, .next = GRAMMAR_NONE, .weight = 1, .at = (uint32_t)at};
    return LOAM_OK;
}

static loam_status read_number(grammar_reader *reader, const char *what, uint32_t *number) {
    size_t from = reader->at;
    uint32_t value = 0;
    while (reader->at < reader->text.size && is_digit(reader->text.bytes[reader->at]) &&
           value <= NUMBER_MAX) {
        value = value * 10 + (uint32_t)(reader->text.bytes[reader->at++] - '0');
    }
    *number = value;
    if (value < 1 || value > NUMBER_MAX) {
        return loam_fail(reader->error, LOAM_OUT_OF_RANGE, reader->pointer,
                         "byte %u of the grammar: a %s is a whole number from 1 to %d",
                         (unsigned)from, what, NUMBER_MAX);
    }
    return LOAM_OK;
}

static loam_status read_item(grammar_reader *reader, uint32_t *element);

static loam_status read_symbol(grammar_reader *reader, uint32_t *element) {
    size_t from = reader->at;
    while (reader->at < reader->text.size && is_letter(reader->text.bytes[reader->at])) {
        reader->at++;
    }
    LOAM_TRY(take_element(reader, GRAMMAR_MODULE, from, element));
    grammar_element *module = &reader->to->elements[*element];
    module->symbol = (loam_text){reader->text.bytes + from, reader->at - from};
    return grammar_is_symbol(module->symbol) ? LOAM_OK
                                             : refuse(reader, from, "the symbol is too long");
}

static loam_status read_weight(grammar_reader *reader, uint32_t child) {
    if (peek(reader) != ':') {
        return LOAM_OK;
    }
    reader->at++;
    (void)peek(reader);
    return read_number(reader, "weight", &reader->to->elements[child].weight);
}

/* Items up to a closing byte (0: the end of the text), as children of `parent`. */
static loam_status read_children(grammar_reader *reader, uint32_t parent, char close) {
    uint32_t last = GRAMMAR_NONE;
    for (;;) {
        uint32_t child = GRAMMAR_NONE;
        LOAM_TRY(read_item(reader, &child));
        if (close == '}') {
            LOAM_TRY(read_weight(reader, child));
        }
        grammar_element *elements = reader->to->elements;
        *(last == GRAMMAR_NONE ? &elements[parent].child : &elements[last].next) = child;
        last = child;
        char byte = peek(reader);
        if (byte == ',') {
            reader->at++;
        } else if (byte == close) {
            return LOAM_OK;
        } else if (byte == 0) {
            size_t at = elements[parent].at;
            return loam_fail(reader->error, LOAM_MALFORMED, reader->pointer,
                             "byte %u of the grammar: '%.1s' is not closed", (unsigned)at,
                             reader->text.bytes + at);
        } else {
            return refuse_next(reader);
        }
    }
}

static loam_status read_group(grammar_reader *reader, grammar_kind kind, char close,
                              uint32_t *element) {
    LOAM_TRY(take_element(reader, kind, reader->at, element));
    if (++reader->depth > GRAMMAR_DEPTH_MAX) {
        return refuse(reader, reader->at, "groups are nested too deep");
    }
    reader->at++;
    LOAM_TRY(read_children(reader, *element, close));
    reader->at++;
    reader->depth--;
    return LOAM_OK;
}

static loam_status read_atom(grammar_reader *reader, uint32_t *element) {
    char byte = peek(reader);
    if (byte == '[') {
        return read_group(reader, GRAMMAR_SEQUENCE, ']', element);
    }
    if (byte == '{') {
        return read_group(reader, GRAMMAR_CHOICE, '}', element);
    }
    if (byte == '<') {
        return read_group(reader, GRAMMAR_PRIORITY, '>', element);
    }
    return is_letter(byte) ? read_symbol(reader, element) : refuse_next(reader);
}

static loam_status read_item(grammar_reader *reader, uint32_t *element) {
    uint32_t body = GRAMMAR_NONE, count = 0;
    LOAM_TRY(read_atom(reader, &body));
    *element = body;
    char byte = peek(reader);
    size_t at = reader->at;
    if (is_digit(byte)) {
        LOAM_TRY(read_number(reader, "count", &count));
    } else if (byte == '*' || byte == '+') {
        reader->at++;
        count = byte == '+';
    } else {
        return LOAM_OK;
    }
    LOAM_TRY(take_element(reader, GRAMMAR_REPEAT, at, element));
    grammar_element *repeat = &reader->to->elements[*element];
    repeat->child = body;
    repeat->count = count;
    repeat->open = byte == '*' || byte == '+';
    return LOAM_OK;
}

loam_status grammar_read(loam_text text, grammar *read, const char *pointer, loam_error *error) {
    grammar_reader reader = {text, 0, 0, read, pointer, error};
    read->count = 0;
    if (peek(&reader) == 0) {
        return loam_fail(error, LOAM_MALFORMED, pointer, "the grammar is empty");
    }
    LOAM_TRY(take_element(&reader, GRAMMAR_SEQUENCE, 0, &read->root));
    return read_children(&reader, read->root, 0);
}
