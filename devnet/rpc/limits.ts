/** The largest HTTP body and WebSocket message, as a node has it. */
export const MAX_BODY_BYTES = 1_000_000
