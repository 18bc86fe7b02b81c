/** A response of the service. The servers that it is compared with send the same response. */
export interface Answer {
  /** The request path, including the query. */
  path: string
  headers: Record<string, string>
  body: string
  /**
   * The upstream URL. If set, a server posts the query to it as JSON on each request, and responds with the upstream's
   * body.
   */
  from?: string
}
