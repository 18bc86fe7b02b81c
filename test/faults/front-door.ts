export type FrontDoor = ReturnType<typeof createFrontDoor>

/** Distributes clients across running servers in round-robin order. Clients wait while no server is running. */
export function createFrontDoor() {
  const present: string[] = []
  let waiting: ((url: string) => void)[] = []
  return {
    open(url: string): void {
      present.push(url)
      for (const enter of waiting) enter(url)
      waiting = []
    },
    close(url?: string): void {
      if (url === undefined) present.length = 0
      else if (present.includes(url)) present.splice(present.indexOf(url), 1)
    },
    async find(): Promise<string> {
      const [next] = present.splice(0, 1)
      if (next === undefined) return new Promise<string>(resolve => waiting.push(resolve))
      present.push(next)
      return next
    }
  }
}
