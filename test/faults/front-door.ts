export type FrontDoor = ReturnType<typeof createFrontDoor>

/** Gives clients the URLs of running servers in turn; clients wait while none runs. */
export function createFrontDoor() {
  const present: string[] = []
  let waiting: ((url: string) => void)[] = []
  return {
    open(url: string): void {
      present.push(url)
      for (const enter of waiting) enter(url)
      waiting = []
    },
    /** Stops sending clients to that server; without a URL, to any server. */
    close(url?: string): void {
      if (url === undefined) present.length = 0
      else if (present.includes(url)) present.splice(present.indexOf(url), 1)
    },
    /** The URL of a server, as soon as one listens. */
    async find(): Promise<string> {
      const [next] = present.splice(0, 1)
      if (next === undefined) return new Promise<string>(resolve => waiting.push(resolve))
      present.push(next)
      return next
    }
  }
}
