import { forgetAnswers } from './recorder.ts'

// Before the whole suite: what earlier runs noted says nothing of this one.
forgetAnswers()
