E<> Sense.rung && answered == 0
