// SPDX-License-Identifier: MIT
#include "pins.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>

static void (*on_change)(const struct watch* watch);

static avr_irq_t* pin_of(avr_t* avr, char port, unsigned number) {
  return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), (int)(IOPORT_IRQ_PIN0 + number));
}

static avr_irq_t* channel_of(avr_t* avr, unsigned number) {
  return avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, (int)(ADC_IRQ_ADC0 + number));
}

// A level from outside stays when the program changes the pin's direction or pull-up, so it is
// recorded for the port, too.
static avr_cycle_count_t on_input(struct avr_t* avr, avr_cycle_count_t when, void* param) {
  (void)when;
  static avr_ioport_external_t outside[26];
  const struct input* input = param;
  if (!input->port) {
    avr_raise_irq(channel_of(avr, input->number), input->value);
    return 0;
  }
  avr_ioport_external_t* port = &outside[input->port - 'A'];
  const unsigned bit = 1u << input->number;
  port->name = (unsigned char)input->port;
  port->mask |= bit;
  port->value = input->value ? port->value | bit : port->value & ~bit;
  avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(input->port), port);
  avr_raise_irq(pin_of(avr, input->port, input->number), input->value);
  return 0;
}

bool pins_drive(avr_t* avr, struct options* options) {
  for (size_t i = 0; i < options->input_count; ++i) {
    struct input* input = &options->inputs[i];
    if (!(input->port ? pin_of(avr, input->port, input->number) : channel_of(avr, input->number))) return false;
    avr_cycle_timer_register(avr, options_cycle(options, input->at_us), on_input, input);
  }
  return true;
}

static void on_level(struct avr_irq_t* irq, uint32_t value, void* param) {
  (void)irq;
  struct watch* watch = param;
  if (watch->level == (value & 1)) return;
  watch->level = value & 1;
  on_change(watch);
}

bool pins_watch(avr_t* avr, struct options* options, void (*report)(const struct watch* watch)) {
  on_change = report;
  for (size_t i = 0; i < options->watch_count; ++i) {
    struct watch* watch = &options->watches[i];
    avr_irq_t* pin = pin_of(avr, watch->port, watch->number);
    if (!pin) return false;
    avr_irq_register_notify(pin, on_level, watch);
  }
  return true;
}
