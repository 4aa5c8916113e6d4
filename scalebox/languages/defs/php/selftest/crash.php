<?php
exit(7);
