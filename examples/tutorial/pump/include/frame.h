/* Frames on the serial line of the dosing pump: what they look like, and who takes them apart. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#define LINE_BYTES 512u
#define FRAME_START 0x7Eu
#define PAYLOAD_MOST 2u

enum frame_type { FRAME_NONE, FRAME_SETPOINT, FRAME_START_PUMP, FRAME_STOP_PUMP, FRAME_RESET };

/* As it is transmitted: no gaps. */
struct frame_header {
    uint8_t start;
    uint8_t type : 3;
    uint8_t urgent : 1;
    uint8_t length : 4;
    uint16_t sequence;
} __attribute__((packed));

struct frame {
    struct frame_header header;
    uint8_t payload[PAYLOAD_MOST];
};

/* What has come in and has not been taken apart yet. */
struct line {
    uint8_t bytes[LINE_BYTES];
    uint32_t used;
    uint32_t next;
    uint32_t dropped;
};

enum frame_result { FRAME_TAKEN, FRAME_INCOMPLETE, FRAME_BROKEN };

void line_clear(struct line *line);
void line_put(struct line *line, uint8_t byte);
uint32_t line_room(const struct line *line);
enum frame_result frame_take(struct line *line, struct frame *frame);

#endif
