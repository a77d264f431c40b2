/* The dosing pump: a state machine that frames from the line drive, and a controller that keeps the flow. */
#include <assert.h>
#include <stdint.h>

#include "frame.h"

#define FLOW_MOST 250.0f
#define INTEGRAL_MOST 40.0f
#define RETRIES 3u

/* What the board gives us. */
extern int uart_ready(void);
extern uint8_t uart_byte(void);
extern float flow_now(void);

/* The registers of the motor driver, as its data sheet has them. */
union motor_register {
    struct {
        uint32_t enable : 1;
        uint32_t brake : 1;
        uint32_t direction : 1;
        uint32_t : 5;
        uint32_t duty : 10;
        uint32_t fault : 3;
        uint32_t : 11;
    } bits;
    uint32_t word;
};

enum pump_state { PUMP_OFF, PUMP_STARTING, PUMP_RUNNING, PUMP_STOPPING, PUMP_FAULT };

struct controller {
    float setpoint;
    float integral;
    float output;
};

struct pump {
    enum pump_state state;
    struct controller controller;
    union motor_register motor;
    uint32_t ticks : 6;
    uint32_t retries : 2;
    uint32_t : 0;
    int16_t last_sequence;
};

static struct pump pump;
static struct line line;

static float clamped(float value, float low, float high) {
    if (!(value >= low))
        return low;
    return value > high ? high : value;
}

/* ---- the controller --------------------------------------------------------------------------------------------- */

static void controller_reset(struct controller *c) {
    c->integral = 0.0f;
    c->output = 0.0f;
}

/* A proportional-integral controller whose integral does not run away. */
static void controller_step(struct controller *c, float flow) {
    float error = c->setpoint - clamped(flow, 0.0f, FLOW_MOST);
    c->integral = clamped(c->integral + 0.125f * error, -INTEGRAL_MOST, INTEGRAL_MOST);
    c->output = clamped(0.5f * error + c->integral, 0.0f, 100.0f);
}

static uint32_t duty_of(float output) {
    return (uint32_t)(output * 10.23f);
}

/* ---- the state machine ------------------------------------------------------------------------------------------ */

static void motor_off(void) {
    pump.motor.bits.enable = 0;
    pump.motor.bits.brake = 1;
    pump.motor.bits.duty = 0;
}

static void fail(uint32_t why) {
    motor_off();
    pump.motor.bits.fault = why;
    pump.state = PUMP_FAULT;
}

static void begin(void) {
    controller_reset(&pump.controller);
    pump.ticks = 0;
    pump.state = PUMP_STARTING;
}

static void command(const struct frame *frame) {
    switch (frame->header.type) {
    case FRAME_SETPOINT:
        if (frame->header.length >= 2) {
            uint16_t asked = (uint16_t)(frame->payload[0] | frame->payload[1] << 8);
            pump.controller.setpoint = clamped((float)asked / 16.0f, 0.0f, FLOW_MOST);
        }
        break;
    case FRAME_START_PUMP:
        if (pump.state == PUMP_OFF)
            begin();
        break;
    case FRAME_STOP_PUMP:
        if (pump.state == PUMP_RUNNING || pump.state == PUMP_STARTING)
            pump.state = PUMP_STOPPING;
        break;
    case FRAME_RESET:
        if (pump.state == PUMP_FAULT && frame->header.urgent) {
            pump.motor.word = 0;
            pump.retries = 0;
            pump.state = PUMP_OFF;
        }
        break;
    default:
        break;
    }
    pump.last_sequence = (int16_t)frame->header.sequence;
}

static void tick(float flow) {
    switch (pump.state) {
    case PUMP_OFF:
        motor_off();
        break;
    case PUMP_STARTING:
        pump.ticks++;
        if (pump.ticks == 5) {
            if (flow >= 0.0f && flow <= FLOW_MOST) {
                pump.motor.bits.brake = 0;
                pump.motor.bits.enable = 1;
                pump.state = PUMP_RUNNING;
            } else if (pump.retries == RETRIES) {
                fail(1);
            } else {
                pump.retries++;
                begin();
            }
        }
        break;
    case PUMP_RUNNING:
        controller_step(&pump.controller, flow);
        pump.motor.bits.duty = duty_of(pump.controller.output);
        if (flow > 2 * FLOW_MOST)
            fail(2);
        break;
    case PUMP_STOPPING:
        motor_off();
        pump.state = PUMP_OFF;
        break;
    case PUMP_FAULT:
        break;
    }
}

/* What must hold between two rounds, whatever came in and whatever was measured. */
static void check(void) {
    assert(line.next <= line.used && line.used <= LINE_BYTES);
    assert(pump.controller.setpoint >= 0.0f && pump.controller.setpoint <= FLOW_MOST);
    assert(pump.controller.integral >= -INTEGRAL_MOST && pump.controller.integral <= INTEGRAL_MOST);
    assert(!(pump.motor.bits.enable && pump.motor.bits.brake));
    assert(pump.state != PUMP_FAULT || (!pump.motor.bits.enable && pump.motor.bits.fault != 0));
    assert(pump.motor.bits.duty <= 1023);
}

int main(void) {
    struct frame frame;
    line_clear(&line);
    for (;;) {
        if (line.next == line.used)
            line_clear(&line);
        if (line_room(&line) > 0 && uart_ready())
            line_put(&line, uart_byte());
        if (frame_take(&line, &frame) == FRAME_TAKEN)
            command(&frame);
        tick(flow_now());
        check();
    }
}
