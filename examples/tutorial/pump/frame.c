/* Takes frames from what has come in on the serial line.
 *
 *   start (0x7E) | type, urgent, length | sequence, low | sequence, high | payload, at most 2 | sum
 *
 * Whatever arrives, no byte outside of the line is looked at, and no payload is longer than a frame has room for.
 */
#include <assert.h>

#include "frame.h"

#define HEADER_BYTES 4u

void line_clear(struct line *line) {
    line->used = 0;
    line->next = 0;
    line->dropped = 0;
}

uint32_t line_room(const struct line *line) {
    return LINE_BYTES - line->used;
}

void line_put(struct line *line, uint8_t byte) {
    assert(line->used < LINE_BYTES);
    line->bytes[line->used] = byte;
    line->used++;
}

static uint8_t byte_at(const struct line *line, uint32_t offset) {
    uint32_t index = line->next + offset;
    assert(index < LINE_BYTES);
    return line->bytes[index];
}

static uint32_t waiting(const struct line *line) {
    return line->used - line->next;
}

static void read_header(const struct line *line, struct frame_header *header) {
    uint8_t second = byte_at(line, 1);
    header->start = byte_at(line, 0);
    header->type = second;
    header->urgent = second >> 3;
    header->length = second >> 4;
    header->sequence = (uint16_t)(byte_at(line, 2) | byte_at(line, 3) << 8);
}

enum frame_result frame_take(struct line *line, struct frame *frame) {
    uint32_t length;
    uint8_t sum;

    /* Nobody else writes to the line; but a line that is not in order must not make it worse. */
    if (line->used > LINE_BYTES || line->next > line->used)
        line_clear(line);
    if (waiting(line) > 0 && byte_at(line, 0) != FRAME_START) {
        line->next++;
        line->dropped++;
        return FRAME_BROKEN;
    }
    if (waiting(line) < HEADER_BYTES)
        return FRAME_INCOMPLETE;
    read_header(line, &frame->header);
    length = frame->header.length;
    if (length > PAYLOAD_MOST) {
        line->next++;
        return FRAME_BROKEN;
    }
    if (waiting(line) < HEADER_BYTES + length + 1)
        return FRAME_INCOMPLETE;
    frame->payload[0] = length > 0 ? byte_at(line, HEADER_BYTES) : 0;
    frame->payload[1] = length > 1 ? byte_at(line, HEADER_BYTES + 1) : 0;
    sum = frame->header.type + frame->payload[0] + frame->payload[1];
    if (sum != byte_at(line, HEADER_BYTES + length)) {
        line->next++;
        return FRAME_BROKEN;
    }
    line->next += HEADER_BYTES + length + 1;
    assert(line->next <= line->used);
    return FRAME_TAKEN;
}
