/** The result of one check. */
export interface Check {
  ok: boolean
  /** Words of this service, never of an upstream (interface 15.4). */
  detail?: string
}
