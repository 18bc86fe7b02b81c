import { signal } from '@preact/signals'

let timer: ReturnType<typeof setInterval> | undefined

/** The time, once a second while something shows it. */
export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now()
    timer = setInterval(() => {
      this.value = Date.now()
    }, 1000)
  },
  unwatched() {
    clearInterval(timer)
  }
})
