# Nothing but this comment.
