/* SPDX-License-Identifier: MIT
 *
 * flight_ride.c: a flight that meets another with the same key that ends in other answers waits on
 * it for the bytes, whatever is objected to them there, and goes on to say its own: what is built
 * once serves both, and no one hears another world's verdict.
 */
#include "core/base/assert.h"
#include "server/flight/flight_state.h"

result_flight *flight_of_ride(flight_waiter *waiter) {
    result_flight *flight = (result_flight *)((char *)waiter - offsetof(result_flight, ride));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    return flight;
}

/* What is not there, and nobody wanted built, may be wanted by now: then the look-up goes on. */
static void ride_landed(flight_waiter *waiter, const flight_landing *landing) {
    result_flight *flight = flight_of_ride(waiter);
    const loam_error *error = landing->error;
    bool anew = error->status == LOAM_NOT_GENERATED && flight_is_wanted(flight);
    if (error->status == LOAM_OK) {
        flight->blob = blob_retain(landing->blob);
        flight->origin = landing->origin;
    } else if (!anew) {
        loam_fail(&flight->error, error->status, error->pointer, "%s", error->text);
    }
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

static void ride_missed(flight_waiter *waiter) {
    flight_tell_missed(flight_of_ride(waiter));
}

step_result flight_ride_on(result_flight *flight, result_flight *other) {
    flight->ride = (flight_waiter){.raw = true,
                                   .batch = flight_wants_batch(flight),
                                   .cached_only = !flight_is_wanted(flight),
                                   .missed = ride_missed,
                                   .landed = ride_landed};
    flight_join_other(other, &flight->ride);
    return STEP_PARKED;
}

void flight_ride_end(result_flight *flight) {
    flight_leave(&flight->ride, false);
    loam_fail(&flight->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
    walk_resume(&flight->walk, true);
}
