"""Many games between bots, in this process, in several, or on several machines: who is better, and how sure is that?"""
